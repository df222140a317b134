"""Text → index terms: what BM25 counts, for sources and questions alike.

A term consists of letters, digits and "_", so that any tokenizer that splits at other characters
keeps it whole. "_" separates two digits: "3.3" and "3,3" become ``3_3``,
"61000-4-2" becomes ``61000_4_2``.

A word gives its folded stem. A compound identifier gives the whole and its parts: "XLR-5" →
``xlr5 xlr 5``, "24VDC" → ``24vdc 24 vdc``, "getUserName" → ``getusername get user name``,
"wifi-kabel" → ``wifikabel wifi kabel``. "1.000" and "1,000" may be a thousand or a fraction: they
give ``1000`` and ``1_000``. Scripts without spaces give pairs of letters.

Stop words are those of the text's own language ("door" is one in Dutch only); texts in languages
without a list keep every word.

Dutch and German write compounds as one word, and a question may join what the sources write apart:
"trainingsproces" where they have "proces" or "training". ``split_compounds`` splits such a word
where both halves are words of the index; no dictionary is needed. A word that occurs in a chunk is
never split: over the data sets that cost as much as it gained (docs/evaluation/experiments.md).
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, repeat

import Stemmer

from foundry.analysis.folding import fold, normalise
from foundry.analysis.languages import UNKNOWN, detect_query_language
from foundry.analysis.lexer import LETTERS_AND_DIGITS
from foundry.lexicon import load_lexicons, load_shared_lexicon
from foundry.records import QueryTerm

MAX_TERM_LENGTH = 64
_MAX_IDENTIFIER_LENGTH = 200

_STEMMERS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german",
    "el": "greek", "en": "english", "es": "spanish", "et": "estonian", "eu": "basque",
    "fi": "finnish", "fr": "french", "ga": "irish", "hu": "hungarian", "hy": "armenian",
    "id": "indonesian", "it": "italian", "lt": "lithuanian", "nl": "dutch", "no": "norwegian",
    "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian",
    "sv": "swedish", "tr": "turkish",
}  # fmt: skip
# Their rules expect plain letters, so the word is folded first: "geïnstalleerd" and
# "geinstalleerd" give one stem. The others need the accents and are folded afterwards.
_FOLD_FIRST = frozenset(("nl", "en"))

# A full stop joins numbers ("3.3", "v1.2") and single letters ("N.V."), not words.
_TOKEN = re.compile(
    r"[^\W_]+(?:(?=[-_&'.,:/])"  # which spares most words the alternatives
    r"(?:_+|[-&']|(?<=\d)[.,:/](?=\d)|(?<=\d)\.|\.(?=\d)|(?<![^\W_]{2})\.(?=[^\W\d_]\b))"
    r"[^\W_]+)*(?:\+\+|\#(?!\w))?"
)
# It begins with the hyphen, which is quick to find.
_BROKEN_WORD = re.compile(r"-(?<=[^\W\d_]-)[ \t]*\r?\n[ \t]*(?=[^\W\d_])")
# NFKC makes plain digits of raised and lowered ones and of fractions: "7⁶" is not 76.
_RAISED = re.compile("(?<=[0-9])(?=[²³¹¼½¾⁰⁴-⁹₀-₉⅐-⅞])")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:(?:\.\d{3})+(?:,\d+)?|(?:,\d{3})+(?:\.\d+)?)")
_MEASURE = re.compile(r"(\d+(?:[.,]\d+)*)([^\W\d_]+)")
_RUN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
_HUMP = re.compile(r"(?<=[a-z][a-z])(?=[A-Z][a-zA-Z])|(?<=[A-Z][A-Z])(?=[A-Z][a-z])")
_CLITICS = frozenset(("s", "t", "m", "d", "n", "l", "j", "c", "qu", "ll", "ve", "re"))
_SPACELESS = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U0001b000-\U0001b16f"
    "\U00020000-\U0003ffff]+"
)

_local = threading.local()
_SHARED = load_shared_lexicon().general
_STOP_WORDS = {code: lexicon.general.stop_words for code, lexicon in load_lexicons().items()}


def analyse(text: str, language: str) -> list[str]:
    """The index terms of a text in reading order, repetitions included. Linear in its length."""
    stops = _STOP_WORDS.get(language, frozenset())
    tokens = _tokenize(text)
    # A long token would take too much of the memory that keeps what was read.
    short = max(map(len, tokens), default=0) <= _MAX_IDENTIFIER_LENGTH
    read = _analyse_short_token if short else _analyse_token
    return list(chain.from_iterable(map(read, tokens, repeat(language), repeat(stops))))


def analyse_query(
    text: str, languages: Iterable[str], language: str | None = None
) -> tuple[QueryTerm, ...]:
    """The content words of a question, each once, analysed under every language of the index.

    Drops the stop words of ``language``, detected by default, or of every language where it is
    unclear. A question of nothing but stop words keeps them.
    """
    targets = sorted(set(languages)) or ["und"]
    asked = language or detect_query_language(text)
    unclear = _SHARED.stop_words if asked == UNKNOWN else frozenset()
    stops = _STOP_WORDS.get(asked, unclear)
    tokens = _tokenize(text)
    words = [token for token in tokens if fold(token) not in stops] or tokens
    merged: dict[tuple[str, ...], QueryTerm] = {}
    for word in words:
        terms = find_variants(word, targets)
        if terms:
            merged.setdefault(terms, QueryTerm(word, terms))
    return tuple(merged.values())


def find_variants(word: str, languages: Sequence[str]) -> tuple[str, ...]:
    """The terms of one word under each language, stop words too; the whole word's come first."""
    per_language = [_analyse_token(word, language, frozenset()) for language in languages]
    longest = max(map(len, per_language))
    ordered = [
        terms[offset] for offset in range(longest) for terms in per_language if offset < len(terms)
    ]
    return tuple(dict.fromkeys(ordered))


def _tokenize(text: str) -> list[str]:
    if not text.isascii():
        text = normalise(_RAISED.sub(" ", text))
    # A word broken at a line's end becomes one hyphenated word: whole and parts.
    return _TOKEN.findall(_BROKEN_WORD.sub("-", text))


def _analyse_token(token: str, language: str, stops: frozenset[str]) -> tuple[str, ...]:
    if len(token) > _MAX_IDENTIFIER_LENGTH:
        parts = (_analyse_word(part, language, stops) for part in LETTERS_AND_DIGITS.findall(token))
        return tuple(term for terms in parts for term in terms)
    return _analyse_short_token(token, language, stops)


@lru_cache(maxsize=1 << 16)
def _analyse_short_token(token: str, language: str, stops: frozenset[str]) -> tuple[str, ...]:
    if _SPACELESS.search(token):
        return tuple(_analyse_spaceless(token, language, stops))
    if token.isalpha() and not _HUMP.search(token):
        return _analyse_word(token, language, stops)
    if _NUMBER.fullmatch(token):
        return tuple(_analyse_number(token))
    return tuple(_analyse_identifier(token, language, stops))


def _analyse_word(word: str, language: str, stops: frozenset[str]) -> tuple[str, ...]:
    folded = fold(word)
    if not folded or folded in stops:
        return ()
    return (_stem(word, folded, language)[:MAX_TERM_LENGTH],)


def _analyse_number(number: str) -> list[str]:
    """3,3 → 3_3; 1.000,5 → 1000_5; 1.000 → 1000 and 1_000."""
    plain_form = re.sub(r"[.,]", "_", fold(number))[:MAX_TERM_LENGTH]
    if not _THOUSANDS.fullmatch(number):
        return [plain_form]
    separators = re.findall(r"[.,]", number)
    if len(set(separators)) == 2:
        whole, fraction = number.rsplit(separators[-1], 1)
        return [f"{re.sub('[.,]', '', fold(whole))}_{fold(fraction)}"]
    joined = re.sub(r"[.,]", "", fold(number))
    return [joined, plain_form] if len(separators) == 1 else [joined]


def _analyse_identifier(token: str, language: str, stops: frozenset[str]) -> list[str]:
    measure = _MEASURE.fullmatch(token)
    if measure:
        number, unit = measure.groups()
        parts = [*_analyse_number(number), *_analyse_word(unit, language, stops)]
        return _drop_repeats([_join_identifier(token), *parts])
    parts, clitic = _split_identifier(token)
    terms = [term for part in parts for term in _analyse_part(part, language, stops)]
    if clitic:
        return _drop_repeats(terms)
    whole = _join_identifier(token)
    if not whole.isalpha():
        return _drop_repeats([whole, *terms])
    return _drop_repeats([*_analyse_word(whole, language, stops), *terms])


def _split_identifier(token: str) -> tuple[list[str], bool]:
    """The pieces of an identifier; the flag says that an apostrophe cut a clitic off."""
    pieces: list[str] = []
    clitic = False
    for segment in token.split("'"):
        if "'" in token and fold(segment) in _CLITICS:
            clitic = True
            continue
        for piece in re.split(r"[-&_:/]|(?<!\d)\.|\.(?!\d)", segment):
            pieces.extend(_HUMP.split(piece))
    return [piece for piece in pieces if piece], clitic


def _analyse_part(part: str, language: str, stops: frozenset[str]) -> list[str]:
    if _NUMBER.fullmatch(part):
        return _analyse_number(part)
    runs = _RUN.findall(part)
    if len(runs) < 2:
        return [term for run in runs for term in _analyse_word(run, language, stops)]
    pieces = [_join_identifier(part)]
    for run in runs:
        if run[0].isdigit():
            pieces.extend(_analyse_number(run))
        elif len(run) > 1:
            pieces.extend(_analyse_word(run, language, stops))
    return pieces


def _join_identifier(token: str) -> str:
    named = fold(token).replace("++", "plusplus").replace("#", "sharp")
    joined = re.sub(r"(?<=\d)[^\w]+(?=\d)|(?<=\d)_+(?=\d)", "_", named)
    joined = re.sub(r"[^\w]+|(?<!\d)_+|_+(?!\d)", "", joined)
    return joined[:MAX_TERM_LENGTH].rstrip("_")


def _analyse_spaceless(token: str, language: str, stops: frozenset[str]) -> list[str]:
    terms: list[str] = []
    offset = 0
    for run in _SPACELESS.finditer(token):
        terms.extend(_analyse_plain(token[offset : run.start()], language, stops))
        letters = fold(run.group())
        terms.extend(letters[i : i + 2] for i in range(max(1, len(letters) - 1)))
        offset = run.end()
    terms.extend(_analyse_plain(token[offset:], language, stops))
    return terms


def _analyse_plain(text: str, language: str, stops: frozenset[str]) -> list[str]:
    return [
        t for part in LETTERS_AND_DIGITS.findall(text) for t in _analyse_part(part, language, stops)
    ]


def _drop_repeats(terms: list[str]) -> list[str]:
    return [term for term in dict.fromkeys(terms) if term]


def _stem(word: str, folded: str, language: str) -> str:
    name = _STEMMERS.get(language)
    if name is None or not folded.isalpha():
        return folded
    if language in _FOLD_FIRST:
        return str(_get_stemmer(name).stemWord(folded))
    return fold(_get_stemmer(name).stemWord(word.lower())) or folded


def _get_stemmer(name: str) -> Stemmer.Stemmer:
    # A Stemmer must not be shared by two threads.
    made: dict[str, Stemmer.Stemmer] = _local.__dict__.setdefault("stemmers", {})
    if name not in made:
        # Words are kept with their terms; its own cache takes four times as long as stemming.
        made[name] = Stemmer.Stemmer(name, 0)
    return made[name]


CountChunks = Callable[[Sequence[str]], Mapping[str, int]]
"""Terms → the number of chunks that contain each."""

MIN_PART_LENGTH = 4
"""Letters: shorter parts occur in any word ("be" and "leid" in "beleid")."""

MAX_WORD_LENGTH = 50
"""Letters: longer than any word, so that hostile text costs nothing."""

MIN_CHUNKS = 2
"""How many chunks must contain each part: a word that occurs once may be a misspelling."""


def split_compounds(
    words: Iterable[str], languages: Sequence[str], count: CountChunks
) -> tuple[str, ...]:
    """The index terms of the two parts of each word that is a compound; calls ``count`` once.

    ``languages`` are those of the index. The best split is the one whose rarer part is the most
    frequent; of equals, the one with the longest second part, the head.
    """
    splits = [list(_list_splits(fold(word))) for word in words]
    parts = {part for word in splits for split in word for part in split}
    terms = {part: find_variants(part, languages) for part in parts}
    counts = count(sorted({term for variants in terms.values() for term in variants}))
    # A chunk has one language, so it has one of a part's variants.
    common = {
        part: sum(counts.get(term, 0) for term in variants) for part, variants in terms.items()
    }
    best = [_choose_split(word, common) for word in splits]
    return tuple(dict.fromkeys(term for split in best for part in split for term in terms[part]))


def _choose_split(splits: Sequence[tuple[str, str]], common: Mapping[str, int]) -> tuple[str, ...]:
    rarest = [min(common[first], common[head]) for first, head in splits]
    best = max(range(len(splits)), key=rarest.__getitem__, default=None)
    return () if best is None or rarest[best] < MIN_CHUNKS else splits[best]


def _list_splits(word: str) -> Iterator[tuple[str, str]]:
    """Every way to cut a word into a first part and a head, with or without a joint."""
    if not word.isalpha() or len(word) > MAX_WORD_LENGTH:
        return
    for split in range(MIN_PART_LENGTH, len(word) - MIN_PART_LENGTH + 1):
        for joint in _SHARED.joints:
            first = word[:split].removesuffix(joint)
            if len(first) >= MIN_PART_LENGTH and word[:split].endswith(joint):
                yield first, word[split:]
