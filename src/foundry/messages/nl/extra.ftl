extra-missing = Hiervoor is de extra { $extra } nodig, die niet geïnstalleerd is (ontbreekt: { $packages }).
    .fix = Voer `{ $command }` uit.
