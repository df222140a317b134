ask-stream-json = --stream en --json gaan niet samen.
    .fix = Laat een van beide weg.
ask-check = { $verdict } ({ NUMBER($score, minimumFractionDigits: 2, maximumFractionDigits: 2) }): { $sentence } ({ $reason })
ask-details = Model: { $model }. Tijden: { $times }.
ask-low-confidence = (WEINIG ZEKERHEID — beperkte brondekking)
ask-stopped = Gestopt voordat het antwoord compleet was.
ask-model-refused = Het model vond geen antwoord in de gevonden passages.
ask-model-failed = Het model schreef geen zin die deze bronnen onderbouwen, dus staan hier de passages zelf. Dat ligt aan het model, niet aan de bronnen.
ask-unanswered = Niets van wat het model schreef beantwoordt “{ $part }” uit de passages, dus staan hier de passages zelf.
ask-not-shown = Niet in deze passages: { $items }.
ask-nothing-to-show = De gevonden passages hebben geen tekst om te tonen.
ask-low-coverage = Slechts { NUMBER($share, style: "percent", maximumFractionDigits: 0) } van de tekst is onderbouwd, minder dan { NUMBER($least, style: "percent", maximumFractionDigits: 0) }.
ask-generator-replaced = { $old } heet nu { $new }: het toont de passages die het dichtst in de buurt komen en schrijft geen antwoord. Wijzig de naam in foundry.yaml.
ask-judged = { $number ->
    [one] Het controlemodel vond de zin terug in de bron, en hij beantwoordt de vraag.
   *[other] Het controlemodel vond alle { $number } zinnen terug in hun bronnen, en ze beantwoorden de vraag.
}
ask-beside = Wat de bronnen wel zeggen, gaat over iets anders: “{ $sentence }” ({ $names })
