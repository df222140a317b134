"""A true sentence is kept; the same sentence with one fact changed is not."""

from __future__ import annotations

import pytest

from foundry.craft.grounding import verify_statement
from tests.craft.samples import make_evidence

ENGLISH = """# 3.2 Power supply
The Lumo DMX controller needs a supply voltage of 5 V and draws at most 1.5 A.
Idle power is 2 W. Maximum power is 12 W.
Version 2.1 of the firmware was released on 5 March 2026 by Anna Jansen.
The housing is not waterproof and must not be opened during operation.
The RS-485 output drives 32 receivers over 300 m of cable.
About 85 % of the units passed the test; Philips supplied the drivers.
Press the reset button before connecting the cable to the internal port.
Piet ordered the parts. Anna approved the budget of 1,250 euros on Monday."""

DUTCH = """# 4 Onderhoud
De ventilator draait op 3,3 V en gebruikt minder dan 250 mA.
De accu gaat minimaal 1.000 uur mee en mag niet worden vervangen.
Op 12 mei 2025 keurde Piet de Vries het ontwerp goed.
De temperatuur ligt tussen -10 en 40 °C."""

TABLE = """# 5 Ratings
Symbol | Parameter | Min | Typ | Max | Unit
VCC | Supply voltage | 4.5 | 5.0 | 5.5 | V
ICC | Supply current | 0.1 | 0.8 | 1.5 | A
TA | Ambient temperature | -20 | 25 | 60 | °C"""

KEPT = [
    (ENGLISH, "en", "The Lumo DMX controller needs a supply voltage of 5 V."),
    (ENGLISH, "en", "The supply voltage is 5000 mV."),
    (ENGLISH, "en", "The controller needs five volts as its supply voltage."),
    (ENGLISH, "en", "The maximum power is 12 W."),
    (ENGLISH, "en", "Idle power is 2 W and maximum power is 12 W."),
    (ENGLISH, "en", "Firmware version 2.1 was released on 2026-03-05."),
    (ENGLISH, "en", "Anna Jansen released the firmware in March 2026."),
    (ENGLISH, "en", "The housing is not waterproof."),
    (ENGLISH, "en", "The housing must not be opened during operation."),
    (ENGLISH, "en", "RS485 drives 32 receivers over 0.3 km of cable."),
    (ENGLISH, "en", "85 percent of the units passed the test."),
    (ENGLISH, "en", "Anna approved the budget of 1250 euros on Monday."),
    (DUTCH, "nl", "De ventilator draait op 3300 mV."),
    (DUTCH, "nl", "De accu gaat minstens 1000 uur mee."),
    (DUTCH, "nl", "Piet de Vries keurde het ontwerp goed op 12-05-2025."),
    (DUTCH, "nl", "De accu mag niet worden vervangen."),
    (DUTCH, "nl", "De temperatuur ligt tussen -10 °C en 40 °C."),
    (TABLE, "en", "The typical supply voltage is 5.0 V."),
    (TABLE, "en", "The maximum supply current is 1500 mA."),
    (TABLE, "en", "The ambient temperature ranges from -20 to 60 °C."),
]  # fmt: skip

REMOVED = [
    (ENGLISH, "en", "The Lumo DMX controller needs a supply voltage of 6 V."),
    (ENGLISH, "en", "The Lumo DMX controller needs a supply voltage of 5 mV."),
    (ENGLISH, "en", "The Lumo DMX controller needs a supply voltage of 5 A."),
    (ENGLISH, "en", "The controller draws at least 1.5 A."),
    (ENGLISH, "en", "The maximum power is 2 W."),
    (ENGLISH, "en", "Idle power is 12 W."),
    (ENGLISH, "en", "Firmware version 2.10 was released on 5 March 2026."),
    (ENGLISH, "en", "Firmware version 2.1 was released on 2026-03-06."),
    (ENGLISH, "en", "Firmware version 2.1 was released on 5 April 2026."),
    (ENGLISH, "en", "Firmware version 2.1 was released on 5 March 2025."),
    (ENGLISH, "en", "The firmware was released by Anna Pietersen."),
    (ENGLISH, "en", "The housing is waterproof."),
    (ENGLISH, "en", "The housing may be opened during operation."),
    (ENGLISH, "en", "The RS-422 output drives 32 receivers over 300 m of cable."),
    (ENGLISH, "en", "The RS-485 output drives 23 receivers over 300 m of cable."),
    (ENGLISH, "en", "The RS-485 output drives 32 receivers over 300 km of cable."),
    (ENGLISH, "en", "About 86 % of the units passed the test."),
    (ENGLISH, "en", "Osram supplied the drivers."),
    (ENGLISH, "en", "Press the reset button after connecting the cable."),
    (ENGLISH, "en", "Connect the cable to the external port."),
    (ENGLISH, "en", "Piet approved the budget of 1,250 euros."),
    (ENGLISH, "en", "Anna approved the budget of 1,250 euros on Tuesday."),
    (ENGLISH, "en", "Anna approved the budget of 1,520 euros on Monday."),
    (ENGLISH, "en", "Karel approved the budget of 1,250 euros on Monday."),
    (ENGLISH, "en", "The controller supports wireless remote configuration through an app."),
    (DUTCH, "nl", "De ventilator draait op 33 V."),
    (DUTCH, "nl", "De ventilator gebruikt meer dan 250 mA."),
    (DUTCH, "nl", "De accu gaat minimaal 1 uur mee."),
    (DUTCH, "nl", "De accu mag worden vervangen."),
    (DUTCH, "nl", "Piet de Vries keurde het ontwerp goed op 12-06-2025."),
    (DUTCH, "nl", "De temperatuur ligt tussen 10 en 40 °C."),
    (DUTCH, "nl", "De temperatuur ligt tussen -10 en 40 °F."),
    (TABLE, "en", "The maximum supply voltage is 60 V."),
    (TABLE, "en", "The maximum supply voltage is 4.5 V."),
    (TABLE, "en", "The minimum ambient temperature is 25 °C."),
    (TABLE, "en", "The supply current is at most 5.5 A."),
    (TABLE, "en", "The ambient temperature is at most 5.5 °C."),
]  # fmt: skip


@pytest.mark.parametrize(("source", "language", "sentence"), KEPT)
def test_a_true_sentence_is_supported(source: str, language: str, sentence: str) -> None:
    evidence = make_evidence(source, language=language)
    finding = verify_statement(sentence, [evidence], language)
    assert finding.supported, finding.reason
    chunk = evidence.hit.chunk
    assert finding.quotes
    for quote in finding.quotes:
        assert quote.text == chunk.text[quote.start : quote.end] == quote.text.strip()


@pytest.mark.parametrize(("source", "language", "sentence"), REMOVED)
def test_a_sentence_with_one_fact_changed_is_not(source: str, language: str, sentence: str) -> None:
    evidence = make_evidence(source, language=language)
    finding = verify_statement(sentence, [evidence], language)
    assert not finding.supported, finding.quotes
    assert finding.reason
