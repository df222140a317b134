generate-sections-kept = Finished sections are kept: run it again to continue.
