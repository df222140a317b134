"""Sentences → questions: what a thing is, how much of it, how many, how long.

Only sentences of a plain build are turned around, and only where their subject says by itself
what it is: "It is 5 V" and "The limit is 250 m" ask nothing that a reader could understand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from foundry.evaluation.questions.drafting.phrasing import is_identifier, is_plural, lowered
from foundry.evaluation.questions.drafting.tables import Asked
from foundry.text.quantities import Quantity, find_quantities

_FLAGS: Final = re.IGNORECASE
_MOST_WORDS, _LONGEST = 9, 220
_LONG_COMPOUND = 14
_AT: Final = (
    r"(?:at most|at least|up to|about|approximately|between|from|only|now|exactly|no more than"
    r"|more than|less than|ten hoogste|ten minste|minstens|maximaal|minimaal|hooguit|circa"
    r"|ongeveer|tussen|tot|van|nu|meer dan|minder dan|slechts)\s+"
)

_DEFINED = {
    "en": re.compile(r"(?P<s>(?:The |An? )?[^,.;:()]{2,60}?) (?P<v>is|are) "
                     r"(?P<o>an? [^.]{12,200})\.", _FLAGS),
    "nl": re.compile(r"(?P<s>(?:De |Het |Een )?[^,.;:()]{2,60}?) (?P<v>is|zijn) "
                     r"(?P<o>(?:een) [^.]{12,200})\.", _FLAGS),
}  # fmt: skip
_MEANT = {
    "en": re.compile(r"(?P<s>[^,.;:]{2,60}?) (?P<v>means|stands for) (?P<o>[^.]{4,160})\."),
    "nl": re.compile(r"(?P<s>[^,.;:]{2,60}?) (?P<v>betekent|staat voor) (?P<o>[^.]{4,160})\."),
}
_UNDERSTOOD = re.compile(r"Onder (?P<s>[^,.;:]{2,60}?) wordt verstaan:? (?P<o>[^.]{4,200})\.")
_IS = {
    "en": re.compile(rf"(?P<s>[^,.;:()]{{4,80}}?) (?P<v>is|are|was|were) (?P<o>(?:{_AT})?\S.*?)\.",
                     _FLAGS),
    "nl": re.compile(rf"(?P<s>[^,.;:()]{{4,80}}?) (?P<v>is|zijn|was|waren|bedraagt|bedragen) "
                     rf"(?P<o>(?:{_AT})?\S.*?)\.", _FLAGS),
}  # fmt: skip
_DONE = re.compile(
    r"(?P<s>[^,.;:()]{4,80}?) (?P<v>is|are) (?P<p>rated at|set to|limited to|protected by|retained for"
    r"|guaranteed for|fed from|printed on|stored in|described in) (?P<o>.*?)\."
)
_HAS = {
    "en": re.compile(rf"(?P<s>[^,.;:()]{{3,60}}?) (?P<v>has|have|holds|hold|supports|support|drives"
                     rf"|drive|contains|contain|delivers|deliver|accepts|accept|stores|store) "
                     rf"(?P<b>{_AT})?(?P<n>\S+) (?P<o>[^\d,.;:()]{{3,50}}?)"
                     rf"(?P<r>(?: (?:of|in|at|with|for|from|and|on|to)\b.*)?)\."),
    "nl": re.compile(rf"(?P<s>[^,.;:()]{{3,60}}?) (?P<v>heeft|hebben|bevat|bevatten|ondersteunt"
                     rf"|levert|telt|kent|bewaart) (?P<b>{_AT})?(?P<n>\S+) "
                     rf"(?P<o>[^\d,.;:()]{{3,50}}?)(?P<r>(?: (?:van|in|bij|met|voor|en|op|tot)\b.*)?)\."),
}  # fmt: skip
_LASTS = re.compile(r"(?P<s>[^,.;:()]{4,60}?) (?P<v>duurt|weegt|kost) (?P<o>(?:\S+ ){0,3}\S.*?)\.")
_VAGUE = re.compile(
    r"(?:it|this|that|these|those|there|they|he|she|we|you|i|here|which|who|what|one|both|all"
    r"|dit|dat|deze|die|er|zij|ze|hij|wij|we|u|men|hier|daar|wie|wat|het|hun|beide|alle)\b"
    r"(?!\s+\w+\s+\w+)|(?:its?|this|that|these|those|their|dit|dat|deze|die|hun|zijn)\b",
    re.IGNORECASE,
)
_OPENS_OTHERWISE = re.compile(
    r"(?:in|on|at|with|without|for|from|after|before|by|under|of|to|as|during|between|per|since"
    r"|while|although|though|thus|whereas|once|where|note|another|other|such|some|many|most|several"
    r"|our|his|her|however|op|aan|bij|met|zonder|voor|van|na|onder|door|tot|als|tijdens|tussen|uit"
    r"|over|want|terwijl|hoewel|toch|ook|maar|andere|sommige|veel|onze|zo)\b",
    re.IGNORECASE,
)
_PARTICIPLE = re.compile(
    r"\b(?:aan|af|in|op|over|toe|uit|voor|onder)?"
    r"ge(?!val|bruik|wicht|noeg|geven|heugen|middeld|durende)\w+(?:d|t|en|aan)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"\b(?:that|which|who|if|when|because|whether|can|must|may|should|will|has|have|had|is|are"
    r"|dat|die|wie|als|wanneer|omdat|kan|kunnen|moet|moeten|mag|mogen|zal|zullen|wordt|worden"
    r"|heeft|hebben|zijn|not|niet|geen|no|there|er|also|ook|then|dan)\b",
    re.IGNORECASE,
)
_LONG = re.compile(r"\b(?:years?|months?|weeks?|days?|hours?|minutes?|seconds?)\b")
_TIME_NOUN = re.compile(r"^(?:s|ms|h|min|seconds?|minutes?|hours?|days?|weeks?|months?|years?|°C"
                        r"|seconden?|minuten|minuut|uur|uren|dagen|dag|weken|week|maanden|maand|jaar"
                        r"|jaren|euro|meter|metres?|volt|ampère|watt|percent|procent)\b", _FLAGS)  # fmt: skip
_BASE = {"has": "have", "holds": "hold", "supports": "support", "drives": "drive",
         "contains": "contain", "delivers": "deliver", "accepts": "accept", "stores": "store"}  # fmt: skip


def ask_sentence(text: str, language: str) -> Iterator[Asked]:
    """The question that a sentence answers, if its build is plain."""
    if len(text) > _LONGEST or text.count(". ") or not text[:1].isupper():
        return
    for turn in (_defined, _meant, _done, _many, _lasting, _measured):
        asked = turn(text, language)
        if asked is not None:
            yield asked
            return


Turn = Callable[[str, str], Asked | None]


def _defined(text: str, language: str) -> Asked | None:
    match = _DEFINED[language].fullmatch(text)
    subject = _subject(match["s"], least=1) if match else None
    if match is None or subject is None:
        return None
    if not is_identifier(subject.split()[-1]) and len(subject.split()) < 2:
        return None
    return Asked(f"{_what(match['v'], language)} {subject}?", match["o"], 0.95)


def _meant(text: str, language: str) -> Asked | None:
    understood = _UNDERSTOOD.fullmatch(text)
    if understood:
        return Asked(f"Wat wordt verstaan onder {understood['s']}?", understood["o"], 1.0)
    match = _MEANT[language].fullmatch(text)
    subject = _subject(match["s"], least=1) if match else None
    if match is None or subject is None:
        return None
    questions = {
        "means": f"What does {subject} mean?",
        "stands for": f"What does {subject} stand for?",
        "betekent": f"Wat betekent {subject}?",
        "staat voor": f"Waar staat {subject} voor?",
    }
    return Asked(questions[match["v"]], match["o"], 1.0)


def _done(text: str, language: str) -> Asked | None:
    """``X is rated at 3 A`` → ``What is X rated at?``"""
    match = _DONE.fullmatch(text) if language == "en" else None
    subject = _subject(match["s"]) if match else None
    if match is None or subject is None:
        return None
    verb, participle, answer = match["v"], match["p"], match["o"]
    done, _, preposition = participle.rpartition(" ")
    if preposition == "for":
        if not _LONG.search(answer):
            return None
        return Asked(f"How long {verb} {subject} {done}?", answer, 0.9)
    if preposition in {"in", "on"}:
        return Asked(f"Where {verb} {subject} {done}?", f"{preposition} {answer}", 0.85)
    return Asked(f"What {verb} {subject} {participle}?", answer, 0.9)


def _many(text: str, language: str) -> Asked | None:
    """``Each output drives up to 32 unit loads`` → ``How many unit loads does each output drive?``"""
    match = _HAS[language].fullmatch(text)
    subject = _subject(match["s"]) if match else None
    if match is None or subject is None or not _is_number(match["n"], language):
        return None
    counted, verb = match["o"].strip(), match["v"]
    if _TIME_NOUN.match(counted) or not is_plural(counted, language):
        return None
    answer = f"{match['b'] or ''}{match['n']} {counted}"
    if language == "nl":
        return Asked(f"Hoeveel {counted} {verb} {subject}?", answer, 0.95)
    does = "does" if verb in _BASE else "do"
    return Asked(f"How many {counted} {does} {subject} {_BASE.get(verb, verb)}?", answer, 0.95)


def _lasting(text: str, language: str) -> Asked | None:
    match = _LASTS.fullmatch(text) if language == "nl" else None
    subject = _subject(match["s"]) if match else None
    if match is None or subject is None or not _quantity(match["o"], language):
        return None
    how = "Hoe lang" if match["v"] == "duurt" else "Hoeveel"
    return Asked(f"{how} {match['v']} {subject}?", match["o"], 0.95)


def _measured(text: str, language: str) -> Asked | None:
    """``The cable length is at most 250 m`` → ``What is the cable length?``"""
    match = _IS[language].fullmatch(text)
    subject = _subject(match["s"]) if match else None
    if match is None or subject is None:
        return None
    answer = match["o"]
    quantity = _quantity(answer, language)
    if quantity is None or len(answer) > 60:
        return None
    # "P2 is zes keer gestart" tells what was done, not what P2 is.
    if language == "nl" and _PARTICIPLE.search(answer):
        return None
    # What is measured is a noun, not a thing that is somewhere or so many.
    if re.match(r"(?:a|an|one|each|een|elke)\s", subject, _FLAGS):
        return None
    return Asked(f"{_what(match['v'], language)} {subject}?", answer, 0.95)


def _what(verb: str, language: str) -> str:
    return f"{'What' if language == 'en' else 'Wat'} {verb.lower()}"


def _subject(text: str, least: int = 2) -> str | None:
    """The subject as it goes on in a question, or None where it does not stand by itself."""
    words = text.split()
    if (
        _VAGUE.match(text)
        or _OPENS_OTHERWISE.match(text)
        or _CLAUSE.search(text)
        or not least <= len(words) <= _MOST_WORDS
    ):
        return None
    bare = re.sub(
        r"^(?:the|an?|de|het|een|each|elke|elk|every|iedere|ieder)\s+", "", text, flags=_FLAGS
    )
    named = any(is_identifier(word) for word in bare.split())
    # "The limit" asks for what nobody knows; "the bufferaccu" and "the line limit" do.
    each = re.match(r"(?:each|every|elke|elk|iedere|ieder)\s", text, _FLAGS)
    if len(bare.split()) < 2 and not named and not each and len(bare) < _LONG_COMPOUND:
        return None
    # A name of several words keeps its first capital, though it may be that of the sentence.
    proper = any(word[:1].isupper() and not is_identifier(word) for word in words[1:])
    return text if proper and bare == text else lowered(text)


def _quantity(text: str, language: str) -> Quantity | None:
    """The quantity that an answer opens with, after words such as "at most"."""
    opened = re.match(rf"(?:{_AT})?", text, _FLAGS)
    at = opened.end() if opened else 0
    return next((one for one in find_quantities(text, language) if one.start <= at + 2), None)


def _is_number(word: str, language: str) -> bool:
    found = find_quantities(word, language)
    return bool(found) and found[0].start == 0 and found[0].end == len(word)
