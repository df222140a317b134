"""What reverses a statement: negations, antonyms, and words that exclude each other.

Works on folded words of all languages of the lexicon, in any mixture. It knows cues, not
grammar: a negation governs the clause in which it occurs.
"""

from __future__ import annotations

import re

from foundry.analysis import fold
from foundry.analysis.stopwords import DUTCH, ENGLISH

_PAIRS = """
open closed|opened closed|opens closes|open shut|enable disable|enabled disabled|enables disables
allow forbid|allowed forbidden|allows forbids|allowed prohibited|permitted prohibited|allow prohibit
permit prohibit|allows prohibits|allows prevents|allow prevent
always never|before after|above below|left right|over under|up down|upward downward|upwards downwards
increase decrease|increases decreases|increased decreased|increasing decreasing|increase reduce
increases reduces|increased reduced|increasing reducing|raise lower|raises lowers|raised lowered
rises falls|rise fall|rising falling|rose fell|grow shrink|grows shrinks|grew shrank
maximum minimum|max min|highest lowest|higher lower|high low|larger smaller|largest smallest
large small|longer shorter|longest shortest|long short|bigger smaller|biggest smallest|greater smaller
greater less|greater lesser|heavier lighter|heavy light|faster slower|fastest slowest|fast slow
stronger weaker|strongest weakest|strong weak|wider narrower|wide narrow|thicker thinner|thick thin
deeper shallower|deep shallow|older younger|oldest youngest|old new|older newer|oldest newest
internal external|internally externally|inside outside|inner outer|indoor outdoor|indoors outdoors
required optional|mandatory optional|compulsory voluntary|must may|input output|inputs outputs
start stop|starts stops|started stopped|start end|starts ends|started ended|begin end|begins ends
began ended|beginning end|hot cold|hotter colder|warm cold|warmer colder|positive negative
positively negatively|first last|upper lower|uppermost lowermost|top bottom|front back|front rear
earlier later|earliest latest|early late|safe unsafe|accept reject|accepts rejects|accepted rejected
approves rejects|approved rejected|pass fail|passes fails|passed failed|success failure
successful unsuccessful|successfully unsuccessfully|succeeds fails|succeeded failed|win lose|wins loses
won lost|victory defeat|connect disconnect|connected disconnected|lock unlock|locked unlocked
same different|similar different|supported unsupported|legal illegal|lawful unlawful
possible impossible|likely unlikely|active inactive|valid invalid|lossless lossy|direct indirect
directly indirectly|import export|imports exports|imported exported|buy sell|buys sells|bought sold
male female|men women|man woman|father mother|son daughter|brother sister|husband wife
more less|most least|more fewer|majority minority|major minor|public private|simple complex
full empty|present absent|true false|on off|wet dry|hard soft|push pull|add remove|added removed
adds removes|include exclude|includes excludes|included excluded|including excluding|gain lose
visible invisible|odd even|ascending descending|clockwise counterclockwise
clockwise anticlockwise|horizontal vertical|horizontally vertically|maximal minimal|maximise minimise
maximize minimize|wired wireless|shielded unshielded|serial parallel|analog digital|analogue digital
ancient modern|married divorced|born died|birth death|alive dead|rural urban|rich poor|friend enemy
attack defence|attack defense|arrive depart|arrives departs|arrived departed|entry exit|enter leave
unless if|with without|all none|everyone nobody|everything nothing|both neither|often rarely
usually rarely|frequently rarely|permanent temporary|permanently temporarily|ends begins
day night|sunrise sunset|credit debit|profit loss|supply demand|cause prevent|causes prevents
since until|from to|into from|past future|formal informal|known unknown|equal unequal|sufficient insufficient
dependent independent|regular irregular|complete incomplete|reversible irreversible|synchronous asynchronous
open dicht|open gesloten|geopend gesloten|inschakelen uitschakelen|ingeschakeld uitgeschakeld|aan uit
toegestaan verboden|toestaan verbieden|altijd nooit|boven onder|links rechts|linker rechter
stijgt daalt|stijgen dalen|stijging daling|verhogen verlagen|verhoogt verlaagt|verhoogd verlaagd
toename afname|toenemen afnemen|neemt geeft|groeit krimpt|maximaal minimaal|maximale minimale
maximum minimum|hoogste laagste|hoger lager|hogere lagere|hoog laag|hoge lage|groter kleiner
grotere kleinere|groot klein|grote kleine|grootste kleinste|langer korter|lange korte|lang kort
langste kortste|sneller langzamer|snel langzaam|snelle langzame|sterker zwakker|sterk zwak
sterke zwakke|breder smaller|zwaarder lichter|zwaar licht|zware lichte|ouder jonger|oud nieuw
oude nieuwe|oudste nieuwste|intern extern|interne externe|binnen buiten|verplicht optioneel
verplicht vrijwillig|verplichte optionele|verplichte vrijwillige|moet mag|moeten mogen
ingang uitgang|ingangen uitgangen|starten stoppen|start stopt|begin einde|begin eind|begint eindigt
warm koud|warme koude|heet koud|positief negatief|positieve negatieve|eerste laatste
bovenste onderste|omhoog omlaag|eerder later|vroeg laat|vooraf achteraf|vooruit achteruit
veilig onveilig|veilige onveilige|aanvaard verworpen|goedgekeurd afgekeurd|slaagt faalt
geslaagd gezakt|geslaagd mislukt|aansluiten loskoppelen|aangesloten losgekoppeld
vergrendeld ontgrendeld|mogelijk onmogelijk|actief inactief|actieve inactieve|geldig ongeldig
geldige ongeldige|wettig onwettig|rechtmatig onrechtmatig|legaal illegaal|bekend onbekend
gelijk ongelijk|direct indirect|directe indirecte|voldoende onvoldoende|volledig onvolledig
zelfde ander|hetzelfde anders|zelfde verschillend|meer minder|meeste minste|meerderheid minderheid
veel weinig|vaak zelden|voor na|tenzij als|tenzij indien|met zonder|iedereen niemand|alles niets
alle geen|publiek privaat|publieke private|openbaar besloten|openbare besloten|eenvoudig complex
eenvoudige complexe|vol leeg|aanwezig afwezig|nat droog|hard zacht|harde zachte|duwen trekken
toevoegen verwijderen|toegevoegd verwijderd|tijdelijk permanent|tijdelijke permanente
winst verlies|man vrouw|mannen vrouwen|vader moeder|zoon dochter|broer zus|inclusief exclusief
horizontaal verticaal|rechtsom linksom|draadloos bedraad|analoog digitaal|dag nacht|kopen verkopen
koopt verkoopt|gekocht verkocht|tot vanaf|afhankelijk onafhankelijk|vast los|waar onwaar|kort lang
"""
_GROUPS = """
north south east west
northern southern eastern western
northeast northwest southeast southwest
noord zuid oost west
noorden zuiden oosten westen
noordelijke zuidelijke oostelijke westelijke
noordelijk zuidelijk oostelijk westelijk
first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth
eerste tweede derde vierde vijfde zesde zevende achtste negende tiende elfde twaalfde
once twice thrice
eenmaal tweemaal driemaal viermaal
single double triple quadruple
enkele dubbele driedubbele
half third quarter fifth tenth
helft kwart derde
second minute hour day week month year decade century
seconde minuut uur dag week maand jaar decennium eeuw
all some most few
alle sommige meeste enkele weinige
hourly daily weekly monthly quarterly yearly
hourly daily weekly monthly quarterly annually
dagelijks wekelijks maandelijks jaarlijks
dagelijkse wekelijkse maandelijkse jaarlijkse
spring summer autumn winter
lente zomer herfst winter
monday tuesday wednesday thursday friday saturday sunday
maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
january february march april may june july august september october november december
januari februari maart april mei juni juli augustus september oktober november december
red green blue yellow orange purple white black grey brown
rood groen blauw geel oranje paars wit zwart grijs bruin
rode groene blauwe gele oranje paarse witte zwarte grijze bruine
morning afternoon evening night
ochtend middag avond nacht
million billion trillion thousand hundred
miljoen miljard duizend honderd
"""


def _build_table(groups: list[list[str]]) -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for group in groups:
        for word in group:
            table.setdefault(word, set()).update(other for other in group if other != word)
    return {word: frozenset(others) for word, others in table.items()}


_CONTRARY = [pair.split() for pair in re.split(r"[|\n]", _PAIRS.strip())]
ANTONYMS = _build_table(
    [pair for pair in _CONTRARY if not any(word in ENGLISH or word in DUTCH for word in pair)]
)
"""Folded content word → its contraries, wherever they stand in a sentence."""

EXCLUSIVE_WORDS = _build_table(
    [*_CONTRARY, *(group.split() for group in _GROUPS.strip().splitlines())]
)
"""Folded word → the words that cannot be true in its very place."""


NEGATIONS = frozenset(
    [
        "no",
        "not",
        "never",
        "none",
        "nor",
        "neither",
        "nothing",
        "nobody",
        "nowhere",
        "without",
        "cannot",
        "can't",
        "won't",
        "don't",
        "doesn't",
        "didn't",
        "isn't",
        "aren't",
        "wasn't",
        "weren't",
        "shouldn't",
        "mustn't",
        "couldn't",
        "wouldn't",
        "hasn't",
        "haven't",
        "hadn't",
        "needn't",
        "niet",
        "geen",
        "nooit",
        "niets",
        "niks",
        "niemand",
        "nergens",
        "zonder",
        "noch",
        "evenmin",
        "geenszins",
        "nicht",
        "kein",
        "keine",
        "keinen",
        "keiner",
        "nie",
        "ohne",
        "ne",
        "jamais",
        "sans",
        "aucun",
        "aucune",
    ]
)
"""Words that deny their clause, folded, with a plain apostrophe."""

_DENYING_WORDS = """
fail fails failed failure lack lacks lacking absent absence prevent prevents prevented avoid
avoids refuse refuses refused deny denies denied forbid forbids forbidden prohibit prohibits
prohibited exclude excludes excluded except rarely seldom hardly barely few little only unless
rather instead however although but stop stops stopped cease ceased lose loses lost remove
removed reject rejects rejected impossible illegal less least free contrary unlike until minor
verboden mislukt faalt ontbreekt ontbreken gebrek voorkomt voorkomen vermijd vermijden weigert
weiger uitgezonderd behalve zelden nauwelijks weinig alleen slechts tenzij maar echter anders
verloren verwijderd onmogelijk minder vrij stopt gestopt kapot defect onvoldoende
"""
_DENIALS = frozenset(_DENYING_WORDS.split())
_DENYING_SHAPE = re.compile(
    r"(?:un|in|im|ir|il|dis|mis|non|on)[a-z]{4,}|[a-z]{3,}(?:less|loos|loze)$"
)
_MIN_CLAUSE_WORDS = 3
_WORD = re.compile(r"\w+(?:'\w+)?")
_NO_DENIAL = re.compile(
    r"\b(?:no|not|niet) (?:more|less|fewer|later|earlier|higher|lower|meer|minder|later|eerder|hoger"
    r"|lager) (?:than|dan)\b|\bnot only\b|\bniet alleen\b|\b(?:or|of) (?:not|niet)\b|\bwith or without\b|\bmet of zonder\b|\bno ?\. ?(?=\d)|\bno (?=\d)"
)
_CLAUSE = re.compile(
    r"[;!?]\s|[.]\s|\s\(|\)[\s,;.]|,\s|\s[-–—]\s|\s(?:but|however|while|whereas|although|though|because|unless|if"
    r"|and|maar|echter|terwijl|hoewel|omdat|tenzij|indien|als|en|doch)\s",
    re.IGNORECASE,
)


def split_words(text: str) -> list[str]:
    """The folded words of a text, contractions in one piece."""
    return _WORD.findall(fold(text))


def is_negated(text: str) -> bool:
    """True when an odd number of negations stands in the text; two cancel out.

    "Not more than" is a bound, and "not only" an assertion: neither counts.
    """
    told = split_words(_NO_DENIAL.sub(" ", fold(text)))
    return sum(word in NEGATIONS for word in told) % 2 == 1


def has_denial(text: str) -> bool:
    """True when a word of the text denies without being a negation: "fails", "unsafe", "verboden"."""
    return any(
        word in NEGATIONS or word in _DENIALS or _DENYING_SHAPE.match(word)
        for word in split_words(text)
    )


def find_antonym(claim: str, source: str) -> tuple[str, str] | None:
    """A word of the claim whose contrary, but not itself, stands in the source."""
    known = set(split_words(source))
    for word in split_words(claim):
        if word in known:
            continue
        for contrary in sorted(ANTONYMS.get(word, frozenset()) & known):
            return word, contrary
    return None


def find_clauses(text: str) -> list[tuple[int, int]]:
    """Spans of the text's clauses, cut at commas, semicolons and conjunctions of clauses.

    Pieces of one or two words ("In 1973, …", "between 5 and 10") are no clauses:
    they stay with their neighbour.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for match in (*_CLAUSE.finditer(text), None):
        end = match.start() if match else len(text)
        # "2010, 2011 and 2012" is one thing.
        listed = match and text[:end].rstrip()[-1:].isdigit() and text[match.end() :][:1].isdigit()
        short = len(text[start:end].split()) < _MIN_CLAUSE_WORDS
        if match and (short or listed):
            continue
        if short and spans:
            spans[-1] = (spans[-1][0], end)
        elif text[start:end].strip():
            spans.append((start, end))
        start = match.end() if match else end
    return spans
