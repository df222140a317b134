chat-welcome = Ask about the sources of '{ $project }'.
chat-help = /new starts over, quit ends the chat, Ctrl-C stops an answer.
chat-started-over = Started a new conversation.
chat-stopped = Stopped.
chat-not-utf8 = The questions are not UTF-8 text.
    .fix = Convert them to UTF-8.
