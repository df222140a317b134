<<<<<<< HEAD
chat-welcome = Ask about the sources of '{ $project }'.
chat-help = /new starts over, quit ends the chat, Ctrl-C stops an answer.
chat-started-over = Started a new conversation.
chat-stopped = Stopped.
chat-not-utf8 = The questions are not UTF-8 text.
    .fix = Convert them to UTF-8.
=======
chat-no-question = it had no question
chat-added = it added { $words }
chat-dropped = it dropped { $words }
chat-read-as = Read as: { $question }
chat-rewriting-unused = The model's rewriting of the question was not used: { $reason }.
chat-carried-over = Read as a follow-up: '{ $words }' was carried over from the previous question.
>>>>>>> main
