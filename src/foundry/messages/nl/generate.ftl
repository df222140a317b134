generate-sections-kept = Voltooide secties blijven bewaard: voer het opnieuw uit om verder te gaan.
generate-section-not-cached = Deze sectie wordt de volgende keer opnieuw geschreven, want zij kon niet worden bewaard: { $cause }
generate-not-registered = Het concept is geschreven maar niet geregistreerd, en kan dus niet worden geaccepteerd of opgeleverd: { $cause }
generate-no-sentence = Geen enkele zin kon met het bewijs worden onderbouwd.
generate-found-nothing = Het model vond er niets over in het bewijs.
generate-reasons = { $reasons }
generate-overruled = Een zin steunt op een passage die niet geldt: { $sentence }
generate-notice = { $section }: { $notice }
