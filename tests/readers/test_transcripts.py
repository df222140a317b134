import json
from pathlib import Path

import pytest

from foundry.errors import ReadError
from foundry.records import Document
from tests.readers.sample_files import list_blocks, read_file

Spoken = tuple[float | None, float | None, str | None, str]


def spoken(document: Document) -> list[Spoken]:
    return [
        (cue.time_start, cue.time_end, cue.speaker, document.text[cue.start : cue.end])
        for cue in document.blocks
        if cue.kind == "cue"
    ]


def test_vtt_cues_have_times_and_speakers_and_the_text_is_unchanged(tmp_path: Path) -> None:
    text = (
        "WEBVTT - meeting\n\nNOTE 00:00.000 --> 00:01.000\nnot said\n\nSTYLE\n::cue {}\n\n"
        "intro\n00:01.500 --> 00:04.000 align:start\n<v.loud Anna de Wit>We take\n5 V.</v>\n\n"
        "01:00:02.000 --> 01:00:03.250\n<i>Bob: Agreed.</i>\n"
    )
    document = read_file(tmp_path, "m.vtt", "\ufeff" + text)
    assert document.text == text
    assert spoken(document) == [
        (1.5, 4.0, "Anna de Wit", "We take\n5 V."),
        (3602.0, 3603.25, "Bob", "Agreed."),
    ]


def test_vtt_without_milliseconds_is_not_empty(tmp_path: Path) -> None:
    text = "WEBVTT\n\n00:01 --> 00:04\nHello.\n\n00:04 --> 00:06\nBye.\n"
    assert spoken(read_file(tmp_path, "m.vtt", text)) == [
        (1.0, 4.0, None, "Hello."),
        (4.0, 6.0, None, "Bye."),
    ]


def test_two_voices_in_one_cue_are_two_blocks(tmp_path: Path) -> None:
    text = "WEBVTT\n\n00:01.000 --> 00:04.000\n<v A B>Yes.\n<v Cora>No.\n"
    cues = spoken(read_file(tmp_path, "m.vtt", text))
    assert [cue[2:] for cue in cues] == [("A B", "Yes."), ("Cora", "No.")]


def test_rolling_captions_are_read_once(tmp_path: Path) -> None:
    text = (
        "WEBVTT\n\n00:00.100 --> 00:02.000\n \nso<00:00.500><c> today</c>\n\n"
        "00:02.000 --> 00:02.010\nso today\n \n\n"
        "00:02.010 --> 00:04.000\nso today\nwe<00:02.500><c> test</c>\n\n"
        "00:04.000 --> 00:04.010\nwe test\n \n"
    )
    cues = spoken(read_file(tmp_path, "m.vtt", text))
    assert [(cue[0], cue[3]) for cue in cues] == [(0.1, "so today"), (2.01, "we test")]


@pytest.mark.parametrize(
    "text", ["WEBVTT\n\nNOTE nothing\n", "hello", "WEBVTT\n\n00:01 -> 00:02\nx"]
)
def test_a_file_without_cues_is_an_error_with_its_first_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(ReadError, match=f"starts with '{text.split(maxsplit=1)[0]}"):
        read_file(tmp_path, "m.vtt", text)


def test_srt_cues_may_contain_empty_lines_and_numbers(tmp_path: Path) -> None:
    text = (
        "1\r\n00:00:01,000 --> 00:00:02,500\r\nANNA: It is\r\n\r\n42 mm\r\n\r\n"
        "2\r\n00:00:03,000 --> 00:00:04,000\r\n- Right.\r\n"
    )
    assert spoken(read_file(tmp_path, "m.srt", text)) == [
        (1.0, 2.5, "ANNA", "It is\r\n\r\n42 mm"),
        (3.0, 4.0, None, "- Right."),
    ]


@pytest.mark.parametrize(
    "words", ["Note: mind the gap", "We say: go", "http://x.org", "At 10:30 we go"]
)
def test_a_colon_does_not_make_a_speaker(tmp_path: Path, words: str) -> None:
    text = f"1\n00:00:01,000 --> 00:00:02,500\n{words}\n"
    assert spoken(read_file(tmp_path, "m.srt", text)) == [(1.0, 2.5, None, words)]


def test_youtube_events_are_cues(tmp_path: Path) -> None:
    events = [
        {"tStartMs": 0, "dDurationMs": 500},
        {"tStartMs": 1200, "dDurationMs": 2000, "segs": [{"utf8": "we take"}, {"utf8": " 5 V"}]},
        {"tStartMs": 3200, "aAppend": 1, "segs": [{"utf8": "\n"}]},
    ]
    document = read_file(tmp_path, "talk.json", json.dumps({"events": events}))
    assert spoken(document) == [(1.2, 3.2, None, "we take 5 V")]
    assert (document.type, document.title) == ("youtube", "talk")


def test_lists_of_text_start_duration_are_cues(tmp_path: Path) -> None:
    items = [{"text": "we\ntake 5 V", "start": 1.5, "duration": 2}]
    document = read_file(tmp_path, "t.json", json.dumps({"title": "Talk", "transcript": items}))
    assert spoken(document) == [(1.5, 3.5, None, "we take 5 V")]
    assert document.title == "Talk"
    assert spoken(read_file(tmp_path, "t.json", json.dumps(items))) == spoken(document)


@pytest.mark.parametrize(
    "data", ['{"name": "x"}', "[1, 2]", "[]", '{"events": []}', "{", "[" * 9000]
)
def test_other_json_is_refused(tmp_path: Path, data: str) -> None:
    with pytest.raises(ReadError, match=r"not a transcript|no cues|not valid JSON"):
        read_file(tmp_path, "package.json", data)


def test_timestamped_lines_in_a_txt_are_cues_with_speakers(tmp_path: Path) -> None:
    text = (
        "Project meeting\n12 March\n\n[00:00:05] Anna: We start.\n[00:01:10] Bob: With 5 V?\n"
        "or 12 V?\n[00:02:00] We stop.\n"
    )
    document = read_file(tmp_path, "m.txt", text)
    assert document.text == text
    assert list_blocks(document)[0] == ("paragraph", "Project meeting\n12 March")
    assert spoken(document) == [
        (5.0, 70.0, "Anna", "We start."),
        (70.0, 120.0, "Bob", "With 5 V?\nor 12 V?"),
        (120.0, None, None, "We stop."),
    ]


@pytest.mark.parametrize(
    "form", ["{time} {name}\n{words}", "{name}  {time}\n{words}", "{name} ({time}): {words}"]
)
def test_speakers_may_be_beside_the_time(tmp_path: Path, form: str) -> None:
    said = [
        ("0:03", "Anna de Wit", "We start."),
        ("1:10", "Bob", "Now?"),
        ("1:12", "Anna de Wit", "Yes."),
    ]
    text = "\n\n".join(form.format(time=t, name=n, words=w) for t, n, w in said)
    cues = spoken(read_file(tmp_path, "m.txt", text))
    assert [(cue[0], cue[2], cue[3]) for cue in cues] == [
        (3.0, "Anna de Wit", "We start."),
        (70.0, "Bob", "Now?"),
        (72.0, "Anna de Wit", "Yes."),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "09:15:00 started\n09:15:02 connected\n09:15:09 stopped\n09:16:00 idle\n",
        "At 00:10 it starts.\nAt 00:20 it stops.\nAnd so on.\n",
        "0:58 Anna\n0:43 Bo\n1:12 Cas\n0:39 Dirk\n",
        "0:10 a\nwords\n" + "more words\n" * 30,
    ],
)
def test_logs_and_prose_with_times_stay_text(tmp_path: Path, text: str) -> None:
    assert read_file(tmp_path, "a.txt", text).type == "txt"
