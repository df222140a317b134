-- Codes of one bit a number go: 8-bit vectors are compared as fast. conversion.py changes the blocks, whose
-- tables' names SQL does not know.
SELECT count(*) FROM vector_indexes;
