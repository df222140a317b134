"""Reading pictures of text: Tesseract and RapidOCR, one or both."""

from foundry.readers.ocr.engines import OcrEngines, PictureText, find_engines, turn_picture
from foundry.readers.ocr.lines import ScannedLine, ScannedWord, weigh_confidence

__all__ = [
    "OcrEngines",
    "PictureText",
    "ScannedLine",
    "ScannedWord",
    "find_engines",
    "turn_picture",
    "weigh_confidence",
]
