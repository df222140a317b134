chat-welcome = Stel vragen over de bronnen van '{ $project }'.
chat-help = /new begint opnieuw, stop beëindigt het gesprek, Ctrl-C breekt een antwoord af.
chat-started-over = Een nieuw gesprek is begonnen.
chat-stopped = Gestopt.
chat-not-utf8 = De vragen zijn geen UTF-8-tekst.
    .fix = Zet ze om naar UTF-8.
