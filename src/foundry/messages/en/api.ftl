api-verify-what = Give either a path or a text to verify.
    .fix = Call verify(path) or verify(text=…).
