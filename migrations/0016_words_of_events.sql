-- compatible with: older versions
-- outside a transaction
-- Search by the beginnings of words in all events. A rare word is found by its index; with a frequent one, the list is read
-- in its order until the page is full. The planner chooses by the statistics of the index, and by the cost of a call.
create or replace function search_words(value bytea) returns tsvector language sql immutable parallel safe cost 5000
  return to_tsvector('simple', translate(convert_from(value, 'UTF8'), '@.-_/', '     '));

create index concurrently if not exists events_words on events using gin (search_words(search_text));

-- The planner knows which words are frequent only from statistics of the index.
analyze events;
