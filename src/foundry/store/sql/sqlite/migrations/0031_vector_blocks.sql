-- Whole vectors in Foundry's own blocks instead of those of sqlite-vec. SQL does not know the tables' names:
-- conversion.py writes them.
SELECT count(*) FROM vector_indexes;
