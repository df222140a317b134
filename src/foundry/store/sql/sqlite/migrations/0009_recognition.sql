-- How surely OCR read a block, as JSON (see store/rows.py); null for text that needed no OCR.
ALTER TABLE blocks ADD COLUMN recognition TEXT;
