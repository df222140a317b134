-- Each place has its chunk's number of terms too (4 bytes), so that a search scores what it finds
-- without reading the lengths of all chunks.
CREATE OR REPLACE FUNCTION list_postings(wanted text, home bigint)
RETURNS TABLE (term text, source bigint, chunks integer, titled boolean, places bytea)
LANGUAGE sql STABLE AS $$
  SELECT p.term, home, count(*)::integer, bool_or(p.title > 0),
    string_agg(int8send(p.chunk) || int2send(p.title) || int2send(p.headings) || int2send(p.body)
      || int4send(p.length), ''::bytea ORDER BY p.chunk)
  FROM (
    SELECT d.chunk, w.term, c.terms AS length,
      least(count(*) FILTER (WHERE w.field = 0), 32767)::smallint AS title,
      least(count(*) FILTER (WHERE w.field = 1), 32767)::smallint AS headings,
      least(count(*) FILTER (WHERE w.field = 2), 32767)::smallint AS body
    FROM chunks c JOIN chunk_terms d ON d.project = wanted AND d.chunk = c.rowid
    CROSS JOIN LATERAL (
      SELECT 0, unnest(string_to_array(d.title, ' '))
      UNION ALL SELECT 1, unnest(string_to_array(d.headings, ' '))
      UNION ALL SELECT 2, unnest(string_to_array(d.body, ' '))) w (field, term)
    WHERE c.project = wanted AND c.source = home AND w.term <> ''
    GROUP BY d.chunk, w.term, c.terms) p
  GROUP BY p.term
$$;

DO $$
DECLARE wanted text;
BEGIN
  FOR wanted IN SELECT id FROM projects LOOP
    PERFORM set_config('foundry.project', wanted, true);
    DELETE FROM postings WHERE project = wanted;
    INSERT INTO postings (project, term, source, chunks, titled, places)
    SELECT wanted, p.* FROM sources s CROSS JOIN LATERAL list_postings(wanted, s.rowid) p
    WHERE s.project = wanted;
  END LOOP;
END $$;
