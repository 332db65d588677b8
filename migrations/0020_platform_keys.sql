-- compatible with: older versions
-- outside a transaction
-- Keys of the platform: who made one is known from its record.
create index concurrently if not exists mutation_records_of_platform_key
  on mutation_records (coalesce(after -> 'key' ->> 'id', after ->> 'id'))
  where tool in ('create_platform_key', 'svc:keys create');

-- The keys of one conference.
create index concurrently if not exists api_keys_of_conference on api_keys (conference_id) where conference_id is not null;
