conflict-detected = ⚠ Tegenstrijdigheid gevonden:
conflict-side = Bron { $side } ({ $place }): "{ $quote }"
conflict-decided = Bron { $side } geldt: { $rule }.
conflict-superseded = Vervangen: { $old } door { $new }, { $reason } ({ $rule }).
