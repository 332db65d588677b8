-- compatible with: older versions
-- outside a transaction
-- The further parts of a change.
create index concurrently if not exists mutation_records_parts on mutation_records (part_of, at, id) where part_of is not null;
