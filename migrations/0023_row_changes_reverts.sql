-- compatible with: older versions
-- outside a transaction
-- The reverts of a record, newest first.
create index concurrently if not exists mutation_records_reverts on mutation_records ((request ->> 'record_id'), at, id)
  where tool = 'revert_change';
