"""Reading pictures of text: Tesseract and RapidOCR, one or both."""
