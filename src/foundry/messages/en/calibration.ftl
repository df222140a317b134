calibration-notice = { $problem } { $problem-fix }
calibration-other-model = The gate's constants fitted to this project's questions are not used: they are for { $fitted }, not { $model }.
    .fix = Run `foundry eval calibrate`, or `foundry eval calibrate --reset` to discard them.
calibration-other-version = The gate's constants fitted to this project's questions are not used: they were fitted to a different version of { $model }.
    .fix = Run `foundry eval calibrate`, or `foundry eval calibrate --reset` to discard them.
