"""Words that the comparison treats in their own way, folded, Dutch and English together."""

from __future__ import annotations

from foundry.analysis import analyse


def split_words(words: str) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(words.split())


VERBS = split_words("""
    is are was were be been being am has have had must shall should can cannot may might will would
    needs need requires require uses use runs run supports support contains contain holds hold takes
    take gives give provides provide draws draw delivers deliver weighs weigh costs cost lasts last
    measures operates accepts accept applies apply starts stops begins ends opens closes equals
    connects mounted rated made set named called designed written invented became becomes
    is zijn was waren wordt worden werd werden heeft hebben had hadden moet moeten mag mogen kan
    kunnen zal zullen dient dienen vereist gebruikt gebruiken bevat ondersteunt levert weegt kost
    duurt bedraagt begint eindigt opent sluit werkt draait geeft vraagt heet eist vervangt
    """)
"""Where a statement turns from its subject to what it says of it."""

LIKE_VERBS = split_words("""
    open closed opened closes opens enable disable enabled disabled enables disables allow forbid
    allowed forbidden prohibited permitted always never increase decrease increases decreases increased
    decreased rises falls raises lowers required optional mandatory starts stops started stopped
    accept reject accepts rejects accepted rejected possible impossible connected disconnected
    supported unsupported valid invalid active inactive safe unsafe legal illegal must may with without
    locked unlocked present absent true false permanent temporary cause prevent causes prevents
    include exclude includes excludes included excluded successful unsuccessful passed failed
    geopend gesloten ingeschakeld uitgeschakeld toegestaan verboden altijd nooit stijgt daalt verhoogt
    verlaagt verplicht optioneel start stopt begint eindigt veilig onveilig goedgekeurd afgekeurd
    mogelijk onmogelijk geldig ongeldig moet mag moeten mogen met zonder aangesloten losgekoppeld
    vergrendeld ontgrendeld actief inactief aanwezig afwezig waar onwaar
    """)
"""Rivals that say something of a subject, and never name one of two."""

CONDITIONS = split_words("""
    if when while unless during except only for with without in under above below between until before
    after since where per via over at
    als indien wanneer terwijl tenzij tijdens behalve alleen voor met zonder in onder boven tussen tot
    na sinds waar per via bij vanaf zodra
    """)
"""Words that open a condition: what follows narrows the statement."""

AT = split_words("at bij with under above below after na onder boven within binnen per for")
"""Words before a quantity that make it a condition, where another quantity is the value."""

SETTING = split_words("""
    rated set fixed specified limited operates runs stands starts protected fused measured charged fed
    beveiligd ingesteld werkt begrensd gevoed gezekerd ligt staat powered
    """)
"""Words after which "at 2 A" is the value itself."""

HARMLESS = split_words("""
    dc ac vdc vac rated value about approximately approx roughly around nominal nominally normally
    usually generally exactly currently also therefore thus however specified defined listed stated
    given equal equals set amounts amount slow approximately kept fixed itself just simply now still
    please always-on always_on
    waarde ongeveer circa ca nominaal nominale normaal meestal doorgaans precies ook dus echter
    momenteel bedraagt bedragen ingesteld traag zelf nu nog vastgesteld bepaald vermeld
    """)
"""Words that change nothing of what is said of a subject."""

ROLES = {
    word: role
    for role, words in {
        "max": "maximum maximal maximaal maximale max highest hoogste most limit",
        "min": "minimum minimal minimaal minimale min lowest laagste least",
        "typ": "typical typically typisch typische typ average gemiddeld gemiddelde mean",
        "nom": "default standaard standaardwaarde factory",
        "peak": "peak piek instantaneous momentary",
    }.items()
    for word in words.split()
}
"""Which of several values of one quantity is meant; different roles never conflict."""

THINGS = split_words("""
    device unit product system apparaat toestel systeem controller regelaar machine instrument
    equipment it this apparatuur
    """)
"""Names for what the whole source is about."""

GENERAL_HEADINGS = split_words("""
    specification specifications technical data general characteristics electrical mechanical overview
    properties details summary description features specificaties technische gegevens algemeen kenmerken
    eigenschappen overzicht elektrische mechanische samenvatting beschrijving information informatie
    """)
LIMITS = split_words("absolute limits ratings limiting grenswaarden limieten")
"""In headings of values that damage, as against values to work with."""

BEING = split_words("is are was were be been being zijn waren wordt worden werd werden")
MANY = split_words(
    """
    available compatible supported offered sold included suitable approved tested used also example such
    verkrijgbaar leverbaar geschikt compatibel gebruikt ook bijvoorbeeld zoals getest
    """
)
"""What can be said of several things at once: "is available in red"."""

MATERIAL = (
    "made of",
    "made from",
    "gemaakt van",
    "vervaardigd uit",
    "vervaardigd van",
    "bestaat uit",
)
BROAD = split_words("metal plastic kunststof metaal material materiaal wood hout")

QUALIFIERS = split_words("""
    symbol condition conditions voorwaarde conditie conditions symbool note test model type variant
    version versie channel kanaal port poort item code product mode modus ref reference pos
    """)
"""Headers of columns that say which row it is, and give no value."""

UNIT_HEADERS = split_words("unit units eenheid eenheden")

FREE_LABELS = split_words("""
    description omschrijving beschrijving note notes remark remarks opmerking opmerkingen comment
    changes wijzigingen change wijziging example voorbeeld warning waarschuwing tip step stap action
    actie who wie question vraag answer antwoord subject onderwerp from van to aan cc function functie
    caution figure figuur name naam title titel see zie purpose doel cause oorzaak remedy oplossing
    author auteur date datum page pagina revision revisie result resultaat reason reden until tot
    total totaal subtotal subtotaal sum som count amount bedrag id
    """)
"""Labels whose words are told freely, or differ from paper to paper."""

_GLOSSARY = """
opgenomen stroom:input current|voedingsspanning:supply voltage|voeding:supply|voedingsbron:supply|spanning:voltage
bedrijfsspanning:operating voltage|ingangsspanning:input voltage|uitgangsspanning:output voltage
stroom:current|stroomverbruik:current consumption|ingangsstroom:input current|opgenomen:input
uitgangsstroom:output current|inschakelstroom:inrush current|inschakelpiek:inrush current
vermogen:power|verbruik:consumption|energieverbruik:power consumption|opgenomen vermogen:input power
temperatuur:temperature|bedrijfstemperatuur:operating temperature|omgevingstemperatuur:ambient temperature
opslagtemperatuur:storage temperature|omgeving:ambient|opslag:storage|gewicht:weight|massa:weight
mass:weight|weegt:weight|weighs:weight|breedte:width|hoogte:height|lengte:length|diepte:depth
afmetingen:dimensions|maten:dimensions|kabellengte:cable length|kabel:cable|lijnlengte:line length
leidinglengte:line length|zekering:fuse|ingangszekering:input fuse|garantie:warranty|guarantee:warranty
garantieperiode:warranty period|garantietermijn:warranty period|periode:period|prijs:price
levertijd:delivery time|lead time:delivery time|aantal:number|uitgang:output|uitgangen:output
ingang:input|kanaal:channel|kanalen:channel|snelheid:speed|frequentie:frequency
verversingssnelheid:refresh rate|vernieuwingsfrequentie:refresh rate|beeldfrequentie:refresh rate
opstarttijd:start-up time|startup time:start-up time|reactietijd:response time|druk:pressure
werkdruk:operating pressure|bedrijfsdruk:operating pressure|debiet:flow|inhoud:capacity
capaciteit:capacity|luchtvochtigheid:humidity|vochtigheid:humidity|relatieve:relative|relatief:relative
beschermingsgraad:degree protection|aandraaimoment:tightening torque|aanhaalmoment:tightening torque
toerental:speed|levensduur:lifetime|service life:lifetime|bewaartermijn:retention period
vervang:replace|vervangen:replace|vervangt:replace|afsluitweerstand:termination resistor|weerstand:resistance|logica:logic|logische:logic|relais:relay
maximale:maximum|batterij:battery|accu:battery|laadtijd:charging time|looptijd:runtime
onderhoudsinterval:maintenance interval|interval:interval|geluidsniveau:noise level|rendement:efficiency
behuizing:housing|enclosure:housing|scherm:display|geheugen:memory|poort:port|klem:terminal
klemmen:terminals|motor:motor|pomp:pump|sensor:sensor|isolatie:isolation|isolatiespanning:isolation voltage
scènes:scenes|scene:scenes|reeksen:sequences|stappen:steps|schakeltijden:switching times
"""


def _stems(words: str, language: str) -> tuple[str, ...]:
    return tuple(analyse(words, language))


def _glossary() -> dict[str, tuple[str, ...]]:
    table: dict[str, tuple[str, ...]] = {}
    for pair in _GLOSSARY.replace("\n", "|").strip("|").split("|"):
        foreign, _, english = pair.partition(":")
        target = _stems(english, "en")
        for language in ("nl", "en"):
            stems = _stems(foreign, language)
            if len(stems) == 1:
                table.setdefault(stems[0], target)
    return table


GLOSSARY = _glossary()
"""Stem of a technical word → the English stems that it is compared by."""
