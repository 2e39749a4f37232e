-- Operators find merchants by words of their names, however many there are.
create function merchant_terms(name text) returns tsvector language sql immutable parallel safe
  return array_to_tsvector(words_of(name));
-- Merchants whose names have, for each word of the text, one that begins with it; null where the text has no word.
create function merchant_query(words text) returns tsquery language sql immutable parallel safe
  return (select string_agg('''' || replace(replace(word, '\', '\\'), '''', '''''') || ''':*', ' & ')
    from unnest(words_of(words)) word)::tsquery;
create index merchants_by_name on merchants using gin (merchant_terms(name));
