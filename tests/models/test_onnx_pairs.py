"""A model of inference in a directory, as the judge."""

from __future__ import annotations

from pathlib import Path

import pytest

from foundry.errors import ConfigError
from foundry.models import ModelSettings, check_models, get_judge
from foundry.ports import Classifier
from tests.models.test_rerankers import write_cross_encoder
from tests.support.overlap_model import write_overlap_model

FUSE = "The input fuse is rated at 3.15 A slow ."
SUPPLY = "The supply is 12 V ."


def open_judge(model: str) -> Classifier:
    judge = get_judge(model, ModelSettings())
    assert isinstance(judge, Classifier)
    return judge


def test_the_probability_is_that_of_the_class_entailment(tmp_path: Path) -> None:
    judge = open_judge(write_overlap_model(tmp_path, FUSE))
    assert judge.entails(FUSE, "The fuse is slow .") > 0.8
    assert judge.entails(FUSE, "The fuse is fast .") < 0.2


def test_its_place_is_read_from_the_configuration_of_the_model(tmp_path: Path) -> None:
    labels = {"0": "entailment", "1": "neutral", "2": "contradiction"}
    judge = open_judge(write_overlap_model(tmp_path, FUSE, labels=labels))
    assert judge.entails(FUSE, "The fuse is slow .") < 0.2


def test_a_long_passage_is_read_to_its_end(tmp_path: Path) -> None:
    limit = {"tokenizer_config": {"model_max_length": 24}}
    model = write_overlap_model(tmp_path, FUSE, SUPPLY, **limit)
    passage = " ".join([SUPPLY] * 30 + [FUSE])
    assert open_judge(model).entails(passage, "The fuse is slow .") > 0.8


def test_what_stands_at_the_end_of_a_window_is_in_the_next_one_too(tmp_path: Path) -> None:
    limit = {"tokenizer_config": {"model_max_length": 32}}
    model = write_overlap_model(tmp_path, "a b c d", **limit)
    places = [" ".join(["d"] * n + ["a b c"] + ["d"] * 60) for n in range(60)]
    assert all(open_judge(model).entails(place, "a b c") > 0.8 for place in places)


def test_a_statement_that_fills_the_model_is_not_entailed(tmp_path: Path) -> None:
    limit = {"tokenizer_config": {"model_max_length": 16}}
    model = write_overlap_model(tmp_path, FUSE, **limit)
    assert open_judge(model).entails(FUSE, " ".join([FUSE] * 20)) == 0.0


def test_an_empty_passage_entails_nothing(tmp_path: Path) -> None:
    assert open_judge(write_overlap_model(tmp_path, FUSE)).entails("", "The fuse .") < 0.2


@pytest.mark.parametrize("outputs", [1, 2])
def test_a_cross_encoder_with_one_or_two_outputs_judges_too(tmp_path: Path, outputs: int) -> None:
    write_cross_encoder(tmp_path, outputs)
    judge = open_judge(f"onnx:{tmp_path}")
    assert judge.entails("volts volts volts", "five") > 0.9
    assert judge.entails("nine", "five") == 0.5


@pytest.mark.parametrize("labels", [None, {"0": "a", "1": "b", "2": "c"}, {"7": "entailment"}])
def test_three_classes_without_entailment_are_no_judge(
    tmp_path: Path, labels: dict[str, str] | None
) -> None:
    judge = open_judge(write_overlap_model(tmp_path, FUSE, labels=labels))
    with pytest.raises(ConfigError, match="how probably"):
        judge.entails(FUSE, FUSE)


@pytest.mark.parametrize(
    ("key", "usable"), [("validation.verifier", True), ("generation.offline.model", False)]
)
def test_a_directory_judges_but_does_not_write(tmp_path: Path, key: str, usable: bool) -> None:
    model = write_overlap_model(tmp_path, FUSE)
    assert (check_models({key: model}, "offline", ModelSettings()) == []) == usable


def test_a_missing_directory_is_a_problem_of_the_judge() -> None:
    (problem,) = check_models({"validation.verifier": "onnx:/nowhere"}, "offline", ModelSettings())
    assert problem.problem.code == "models-onnx-no-directory"
