-- compatible with: older versions
-- outside a transaction
-- Records of batches by the registrations that they changed, however the request selected them. The state after the change
-- has them by id, or as a list if it added them.
create or replace function changed_registrations(after jsonb) returns text[] language sql immutable parallel safe
  return case jsonb_typeof(after -> 'registrations')
    when 'object' then (select array_agg(id) from jsonb_object_keys(after -> 'registrations') id)
    when 'array' then (select array_agg(r ->> 'id') from jsonb_array_elements(after -> 'registrations') r)
  end;

create index concurrently if not exists mutation_records_of_changed_registrations
  on mutation_records using gin (changed_registrations(after)) with (fastupdate = off) where after ? 'registrations';
