-- compatible with: older versions
-- outside a transaction
-- What a connected app has changed, newest first.
create index concurrently if not exists mutation_records_of_app on mutation_records (app_id, at, id) where app_id is not null;
