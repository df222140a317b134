verbatim = { $text }
    .fix = { $fix }
