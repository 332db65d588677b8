-- compatible with: older versions
-- outside a transaction
-- The filters of the list of records, newest first.
create index concurrently if not exists mutation_records_of_user
  on mutation_records (user_id, at, id) where user_id is not null;

create index concurrently if not exists mutation_records_of_tool on mutation_records (tool, at, id);

create index concurrently if not exists mutation_records_via on mutation_records (via, at, id);

-- Ticketing writes that were sent, for those that have no outcome.
create index concurrently if not exists mutation_records_sent on mutation_records (at)
  where tool like 'ticketing:%' and result ->> 'state' = 'sending';
