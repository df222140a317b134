calibration-notice = { $problem } { $problem-fix }
calibration-other-model = De poort gebruikt de constanten van dit project niet: ze zijn bepaald voor { $fitted }, niet voor { $model }.
    .fix = Voer `foundry eval calibrate` uit, of `foundry eval calibrate --reset` om ze te verwijderen.
calibration-other-version = De poort gebruikt de constanten van dit project niet: ze zijn bepaald met een andere versie van { $model }.
    .fix = Voer `foundry eval calibrate` uit, of `foundry eval calibrate --reset` om ze te verwijderen.
