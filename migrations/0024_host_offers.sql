-- compatible with: older versions
-- The offer to hand an event over: the host has made it, and the other organization has not answered yet.
create table host_offers (
  event_id uuid primary key references events on delete cascade,
  from_organization_id uuid not null references organizations on delete cascade,
  to_organization_id uuid not null references organizations on delete cascade,
  offered_at timestamptz(3) not null default now(),
  check (from_organization_id <> to_organization_id)
);
create index host_offers_from on host_offers (from_organization_id, offered_at, event_id);
create index host_offers_to on host_offers (to_organization_id, offered_at, event_id);

-- An offer is void once the event has another host, or one of the two organizations is removed from its hosts, whoever does
-- it: a tool, an administrator or an import.
create function end_host_offers() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from host_offers where event_id = new.event_id;
  else
    delete from host_offers
    where event_id = old.event_id and old.organization_id in (from_organization_id, to_organization_id);
  end if;
  return null;
end $$;
create trigger end_offers_of_changed_host after update of role on event_hosts
  for each row when (old.role <> new.role) execute function end_host_offers();
create trigger end_offers_of_removed_host after delete on event_hosts
  for each row execute function end_host_offers();

-- The date of a time where an event takes place; UTC if this server does not know the time zone.
create function local_date(value timestamptz, zone text) returns date language plpgsql stable as $$
begin
  return (value at time zone zone)::date;
exception when invalid_parameter_value then
  return (value at time zone 'UTC')::date;
end $$;
