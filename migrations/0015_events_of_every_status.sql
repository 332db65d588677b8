-- compatible with: older versions
-- outside a transaction
-- The lists of platform administrators contain events of every status, the latest first.
create index concurrently if not exists events_in_order on events (start_time, id);

create index concurrently if not exists events_of_conference_in_order
  on events (conference_id, start_time, id) include (status);

create index concurrently if not exists events_by_status on events (status, start_time, id);
