-- compatible with: older versions
-- A change of many rows that was committed in parts: the record of its first part. Null for a whole change and a first part.
alter table mutation_records add column part_of uuid;
