-- Before 1.3, pg_textsearch kept new rows in the server's memory and read them back after a restart
-- without their number: a search then finds nothing, or too little, and says nothing. Release 1.3
-- writes them to pages of the index, like any other index.
CREATE FUNCTION oldest_textsearch() RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT '1.3' $$;

CREATE FUNCTION version_numbers(version text) RETURNS integer[] LANGUAGE sql IMMUTABLE AS
$$ SELECT string_to_array(substring(version FROM '^\d+(?:\.\d+)*'), '.')::integer[] $$;

CREATE OR REPLACE FUNCTION has_textsearch() RETURNS boolean LANGUAGE sql STABLE
SET search_path FROM CURRENT AS $$
  SELECT coalesce(version_numbers(current_setting('pg_textsearch.library_version', true))
      >= version_numbers(oldest_textsearch()), false)
    AND EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'pg_textsearch'
      AND version_numbers(extversion) >= version_numbers(oldest_textsearch()))
$$;

-- An index of an older release does not become whole by an update: a rebuild makes it again.
DO $$
BEGIN
  IF to_regclass('chunk_words') IS NOT NULL AND NOT has_textsearch() THEN
    DROP TRIGGER words_follow ON chunk_terms;
    DROP TRIGGER levels_follow ON sources;
    DROP TABLE chunk_words;
    UPDATE projects SET words = false;
  END IF;
END $$;
