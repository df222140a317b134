api-verify-what = Geef een pad of een tekst om te controleren, niet beide.
    .fix = Roep verify(path) of verify(text=…) aan.
