extra-missing = This needs the extra { $extra }, which is not installed (missing: { $packages }).
    .fix = Run `{ $command }`.
