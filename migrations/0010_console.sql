-- compatible with: older versions
-- Records of people who are signed in to the console.
alter table mutation_records drop constraint mutation_records_via_check;
alter table mutation_records add constraint mutation_records_via_check
  check (via in ('key', 'console', 'command_line')) not valid;

-- Every change has a record, so this one trigger tells the console of all of them: which event, and which organizations
-- may show something else now. A listener gets it when the change commits. Without event and organization, anything may
-- have changed, as by an import.
create function notify_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('svc_changes', json_build_object('event', changed.event_id, 'organizations', changed.organizations)::text)
  from (
    select distinct r.event_id, array(
      select h.organization_id from event_hosts h where h.event_id = r.event_id
      union select r.organization_id where r.organization_id is not null order by 1) as organizations
    from added r) changed;
  return null;
end $$;
create trigger notify_change after insert on mutation_records
  referencing new table as added for each statement execute function notify_change();

-- When a person last looked at the dashboard of an organization.
create table visits (
  user_id uuid not null references users on delete cascade,
  organization_id uuid not null references organizations on delete cascade,
  visited_at timestamptz(3) not null,
  -- The end of the visit before, which "new since" counts from.
  previous_visit_at timestamptz(3),
  primary key (user_id, organization_id)
);
