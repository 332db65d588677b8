-- compatible with: older versions
-- The time zone if this server knows it, otherwise UTC: checked once for a statement that groups many times by local day.
create function known_zone(zone text) returns text language plpgsql stable as $$
begin
  perform now() at time zone zone;
  return zone;
exception when invalid_parameter_value then
  return 'UTC';
end $$;
