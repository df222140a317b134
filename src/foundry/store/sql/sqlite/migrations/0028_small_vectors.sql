-- Whole vectors with 8 bits a number instead of 32. What sqlite-vec keeps cannot be changed in place, and
-- SQL does not know its tables' names: schema.py does it.
SELECT count(*) FROM vector_indexes;
