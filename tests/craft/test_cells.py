"""A number is checked in the cell of a table that the statement names."""

from __future__ import annotations

import pytest

from bench.evidence import as_evidence
from foundry.craft.grounding import Finding, verify_statement
from foundry.messages import Message

INCOME = """Consolidated income

(In millions)

Three Months Ended Nine Months Ended

May 1, May 2, May 1, May 2,

2022 2021 2022 2021

Sales of pumps | $ | 5,931 | $ 7,103 | $ 20,923 | $ 19,271
Cost of sales |  | 2,754 | 2,472 | 9,400 | 7,002
Net income (loss) | $ | 680 | $ 2,464 | $ (954) | $ 6,749
"""


def verified(claim: str, text: str = INCOME) -> Finding:
    return verify_statement(claim, [as_evidence(text, "en")], "en")


@pytest.mark.parametrize(
    "claim",
    [
        "Sales of pumps were $5.9 billion in the three months ended May 1, 2022.",
        "In the nine months to May 1, 2022, sales of pumps reached $20,923 million.",
        "For the quarter ended May 1, 2022, cost of sales was $2,754 million, against $2,472 million.",
        "In the three months to May 1, 2022 net income fell from $2,464 million to $680 million.",
        "Quarterly sales of pumps fell from $7,103 million to $5,931 million, a drop of 16.5%.",
    ],
)
def test_numbers_in_the_cells_that_a_statement_names_are_supported(claim: str) -> None:
    assert verified(claim).supported


@pytest.mark.parametrize(
    ("claim", "found", "named"),
    [
        (
            "Net income was $2,464 million in the three months ended May 1, 2022.",
            "Net income (loss), Three Months Ended May 2 2021",
            "Net income (loss), Three Months Ended May 1 2022: 680",
        ),
        (
            "Sales of pumps were $20,923 million in the three months ended May 1, 2022.",
            "Sales of pumps, Nine Months Ended May 1 2022",
            "Sales of pumps, Three Months Ended May 1 2022: 5,931",
        ),
    ],
)
def test_a_number_of_another_column_names_both_cells(claim: str, found: str, named: str) -> None:
    finding = verified(claim)
    assert (finding.verdict, finding.hard, finding.differs) == ("unsupported", True, named)
    assert found in str(finding.reason)


def test_a_number_of_another_row_is_not_supported() -> None:
    finding = verified("Cost of sales was $680 million in the three months ended May 1, 2022.")
    assert (finding.verdict, finding.differs) == (
        "unsupported",
        "Cost of sales, Three Months Ended May 1 2022: 2,754",
    )


def test_a_loss_is_not_called_income() -> None:
    claim = "Net income was $954 million in the nine months ended May 1, 2022."
    assert not verified(claim).supported


def test_without_a_year_a_number_of_the_earlier_column_is_not_supported() -> None:
    finding = verified("Cost of sales for the first nine months was $7,002 million.")
    assert finding.verdict != "supported"
    assert finding.differs == "Cost of sales, Nine Months Ended May 1 2022: 9,400"


def test_two_cells_of_a_row_are_not_exchanged() -> None:
    text = "Month | Revenue | Cost\nMay 2025 | 280 | 120\nJune 2025 | 300 | 140"
    swapped = verified("In May 2025 revenue was 120 and cost was 280.", text)
    assert "swapped" in str(swapped.reason)
    assert not swapped.supported
    assert verified("In May 2025 revenue was 280 and cost was 120.", text).supported


def test_a_footnote_is_not_part_of_a_rows_name() -> None:
    text = (
        "Earnings per share\n\n | 2022 | 2021\nDiluted (2) | 0.27 | 0.97\nBasic (1) | 0.28 | 0.99"
    )
    assert verified("Diluted earnings per share fell to 0.27 in 2022 from 0.97.", text).supported


def test_a_movement_the_other_way_is_not_supported() -> None:
    claim = (
        "In the three months to May 1, 2022 net income rose from $680 million to $2,464 million."
    )
    assert not verified(claim).supported


def test_one_of_several_unnamed_columns_is_not_certain() -> None:
    text = "Costs\n\nPumps | 48 | 51\nFans | 12 | 14"
    assert verified("The costs of pumps were 48.", text).score < 0.85


def test_values_given_respectively_belong_to_one_period_each() -> None:
    text = (
        "Sales abroad accounted for 64% and 71% of revenue for the third quarter and first nine "
        "months of fiscal year 2023, respectively."
    )
    wrong = verified("Sales abroad accounted for 71% of revenue in the third quarter.", text)
    assert (wrong.verdict, wrong.hard) == ("unsupported", True)
    assert not verified("Sales abroad were 64% of revenue in the third quarter.", text).hard


def test_without_a_period_a_number_of_an_earlier_one_is_not_supported() -> None:
    finding = verified("Net income fell to $2,464 million.")
    assert finding.verdict != "supported"
    assert finding.differs == "Net income (loss), Three Months Ended May 1 2022: 680"


GLUED = """Operating expenses

{caption}| 2020 | 2019 | $ Change | % Change
Research and development expenses $ 1,945 | $1,403 | $542 | 39 % $ 5,387
Selling expenses $ 1,100 | $1,000 | $100 | 10 %

Research and development had 12% more staff than the year before.
"""


def test_a_share_in_the_row_that_a_statement_names_is_not_another_sentences() -> None:
    claim = "Research and development cost $1,945 million, 39% more than the year before."
    finding = verified(claim, GLUED.format(caption="($ in millions)\n\n"))
    assert finding.verdict != "unsupported"
    assert "belongs to something else" not in str(finding.reason)


def test_a_row_printed_in_one_cell_with_its_name_has_the_scale_of_its_caption() -> None:
    text = GLUED.format(caption="($ in millions)\n\n")
    assert verified("Research and development cost $1,945 million.", text).supported
    wrong = verified("Research and development cost $1,945 billion.", text)
    assert (wrong.verdict, wrong.hard) == ("unsupported", True)


@pytest.mark.parametrize("about", ["", "\nThe grants were worth thousands of dollars.\n"])
def test_without_a_caption_nobody_can_tell_the_scale_of_a_number(about: str) -> None:
    finding = verified(
        "Research and development cost $1,945 million.", GLUED.format(caption="") + about
    )
    assert (finding.verdict, finding.hard) == ("partly", False)
    assert finding.reason.params["reason"] == Message("claim-scale-unknown", value="1,945 million")


def test_a_number_that_no_scale_explains_is_absent() -> None:
    finding = verified("Research and development cost $1,946 million.", GLUED.format(caption=""))
    assert (finding.verdict, finding.hard) == ("unsupported", True)


def test_the_heading_of_a_table_gives_its_scale() -> None:
    evidence = as_evidence(GLUED.format(caption=""), "en", title="Accounts (in millions)")
    claim = "Research and development cost $1,945 million."
    assert verify_statement(claim, [evidence], "en").supported


@pytest.mark.parametrize(
    ("claim", "language"),
    [
        ("The firm earned $680 million in the quarter ended May 1, 2022, against $2,464 million.", "en"),
        ("De omzet daalde in het kwartaal tot 1 mei 2022 van $ 7.103 miljoen tot $ 5.931 miljoen.", "nl"),
    ],
)  # fmt: skip
def test_several_numbers_in_one_row_name_it(claim: str, language: str) -> None:
    evidence = [as_evidence(INCOME, "en")]
    assert verify_statement(claim, evidence, language).supported
    assert not verify_statement(claim.replace("2022", "2021"), evidence, language).supported


def test_several_numbers_do_not_name_a_row_where_the_words_name_another() -> None:
    claim = (
        "Cost of sales fell in the quarter to May 1, 2022 from $7,103 million to $5,931 million."
    )
    assert not verified(claim).supported


def test_a_number_may_be_part_of_a_rows_name() -> None:
    text = "Cable length | Bad frames per million\n300 m | 14\n350 m | 230"
    right = verified("With a cable of 350 metres, 230 bad frames per million were counted.", text)
    wrong = verified("With a cable of 300 metres, 230 bad frames per million were counted.", text)
    assert right.score >= 0.85 > wrong.score


def test_a_number_of_a_column_that_the_statement_does_not_name_is_not_supported() -> None:
    text = "Maturity | Amortized cost | Fair value\nAfter ten years | 565 | 534\nTotal | 844 | 811"
    finding = verified("Securities due after ten years had a fair value of 565.", text)
    assert (finding.verdict, finding.differs) == ("partly", "After ten years, Fair value: 534")
    assert verified("Securities due after ten years had a fair value of 534.", text).supported


def test_a_longer_code_is_another_row() -> None:
    text = "Model | Price in EUR\nLC-512-E | 429\nLC-512-ER | 498"
    finding = verified("According to the list, a model LC-512-ER costs 429 euros.", text)
    assert (finding.verdict, finding.hard) == ("unsupported", True)


TOOLS = """Tool | Purpose | Status
Caliper | Length of parts | In daily use
Gauge | Pressure of air | Out of service
Scale | Weight of parts | Not in daily use
"""


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("The table gives the gauge the status out of service.", True),
        ("The table gives the caliper the status out of service.", False),
        ("The table gives the gauge no status out of service.", False),
        (
            "In this table the caliper, which tells the pressure of air, is listed as in daily use.",
            False,
        ),
        ("The table gives the gauge a status for its service to visitors.", False),
    ],
)
def test_a_statement_in_words_has_those_of_the_row_that_it_names(
    claim: str, *, supported: bool
) -> None:
    assert verified(claim, TOOLS).supported is supported
