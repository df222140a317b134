generate-sections-kept = Voltooide secties blijven bewaard: voer het opnieuw uit om verder te gaan.
