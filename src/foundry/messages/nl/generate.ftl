generate-sections-kept = Voltooide secties blijven bewaard: voer het opnieuw uit om verder te gaan.
generate-section-not-cached = Deze sectie wordt de volgende keer opnieuw geschreven, want zij kon niet worden bewaard: { $cause }
generate-not-registered = Het concept is geschreven maar niet geregistreerd, en kan dus niet worden geaccepteerd of opgeleverd: { $cause }
