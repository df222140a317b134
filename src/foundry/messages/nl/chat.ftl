chat-no-question = er stond geen vraag in
chat-added = dit is toegevoegd: { $words }
chat-dropped = dit is weggelaten: { $words }
chat-read-as = Gelezen als: { $question }
chat-rewriting-unused = De herschreven vraag van het model is niet gebruikt: { $reason }.
chat-carried-over = Gelezen als vervolgvraag: '{ $words }' komt uit de vorige vraag.
