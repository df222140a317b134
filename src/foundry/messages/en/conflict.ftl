conflict-detected = ⚠ Conflict detected:
conflict-side = Source { $side } ({ $place }): "{ $quote }"
conflict-decided = Source { $side } holds: { $rule }.
conflict-superseded = Superseded: { $old } by { $new }, { $reason } ({ $rule }).
