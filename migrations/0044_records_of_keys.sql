-- compatible with: older versions
-- outside a transaction
-- What an API key has changed, newest first.
create index concurrently if not exists mutation_records_of_key on mutation_records (api_key_id, at, id) where api_key_id is not null;
