<<<<<<< HEAD
chat-welcome = Stel vragen over de bronnen van '{ $project }'.
chat-help = /new begint opnieuw, stop beëindigt het gesprek, Ctrl-C breekt een antwoord af.
chat-started-over = Een nieuw gesprek is begonnen.
chat-stopped = Gestopt.
chat-not-utf8 = De vragen zijn geen UTF-8-tekst.
    .fix = Zet ze om naar UTF-8.
=======
chat-no-question = er stond geen vraag in
chat-added = dit is toegevoegd: { $words }
chat-dropped = dit is weggelaten: { $words }
chat-read-as = Gelezen als: { $question }
chat-rewriting-unused = De herschreven vraag van het model is niet gebruikt: { $reason }.
chat-carried-over = Gelezen als vervolgvraag: '{ $words }' komt uit de vorige vraag.
>>>>>>> main
