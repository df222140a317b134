generate-sections-kept = Finished sections are kept: run it again to continue.
generate-section-not-cached = This section could not be cached, so the next run will write it again: { $cause }
generate-not-registered = The draft was written but not registered, so it cannot be accepted or built: { $cause }
generate-no-sentence = No sentence could be supported by the evidence.
generate-found-nothing = The model found nothing about it in the evidence.
generate-reasons = { $reasons }
generate-overruled = A sentence relies on an overruled passage: { $sentence }
generate-notice = { $section }: { $notice }
