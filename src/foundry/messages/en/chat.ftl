chat-no-question = it had no question
chat-added = it added { $words }
chat-dropped = it dropped { $words }
chat-read-as = Read as: { $question }
chat-rewriting-unused = The model's rewriting of the question was not used: { $reason }.
chat-carried-over = Read as a follow-up: '{ $words }' was carried over from the previous question.
