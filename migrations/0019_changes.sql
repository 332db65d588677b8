-- compatible with: older versions
-- Which transactions changed what, so that a process can ask whether a response that it holds is still what it would read now
-- (docs/decisions/validated-cache.md). A scope is a conference, an organization that hosts events, or the nil UUID for all.
create type changed_list as enum ('conferences', 'events', 'posters');

create table changes (
  list changed_list not null,
  scope uuid not null,
  xid xid8 not null default pg_current_xact_id(),
  primary key (list, scope, xid)
)
-- The planner takes an empty table for one that is cheap to scan, and connections keep their plans.
with (vacuum_truncate = off);

-- What was read before `pruned` cannot be compared with changes any more. Changes before `next` are deleted the next time.
create table change_horizon (
  only_row boolean primary key default true check (only_row),
  pruned xid8 not null,
  next xid8 not null,
  pruned_at timestamptz not null
);
insert into change_horizon (pruned, next, pruned_at)
values (pg_snapshot_xmin(pg_current_snapshot()), pg_snapshot_xmin(pg_current_snapshot()), now());

-- Each list shows columns of one table. Conferences and events decide which rows of the lists below them are visible, and
-- hosts decide it for their organization, so only a change of posters leaves the other lists as they are.
create function record_conference_changes() returns trigger language plpgsql as $$
begin
  insert into changes (list, scope)
  select list, scope from unnest(enum_range(null::changed_list)) list cross join (
    select '00000000-0000-0000-0000-000000000000'::uuid where exists (select from changed)
    union select id from changed
    union select h.organization_id from changed c join hosted_conferences h on h.conference_id = c.id) changed_scope (scope)
  on conflict do nothing;
  return null;
end $$;

create function record_event_changes() returns trigger language plpgsql as $$
begin
  insert into changes (list, scope)
  select list, scope from unnest(enum_range(null::changed_list)) list cross join (
    select '00000000-0000-0000-0000-000000000000'::uuid where exists (select from changed)
    union select conference_id from changed
    union select h.organization_id from changed c join event_hosts h on h.event_id = c.id) changed_scope (scope)
  on conflict do nothing;
  return null;
end $$;

create function record_host_changes() returns trigger language plpgsql as $$
begin
  insert into changes (list, scope)
  select list, scope from unnest(enum_range(null::changed_list)) list cross join (
    select distinct organization_id from changed) changed_scope (scope)
  on conflict do nothing;
  return null;
end $$;

create function record_poster_changes() returns trigger language plpgsql as $$
begin
  insert into changes (list, scope)
  select list, scope from unnest(array['posters'::changed_list]) list cross join (
    select '00000000-0000-0000-0000-000000000000'::uuid where exists (select from changed)
    union select conference_id from changed
    union select h.organization_id from changed c join event_hosts h on h.event_id = c.event_id) changed_scope (scope)
  on conflict do nothing;
  return null;
end $$;

-- Makes everything outdated that was read before this transaction.
create function outdate_all() returns trigger language plpgsql as $$
begin
  update change_horizon set pruned = (pg_current_xact_id()::text::numeric + 1)::text::xid8;
  return null;
end $$;

-- A row may move to another conference or event: both versions count. Updates that cascade from a parent are left out,
-- because the trigger of the parent has recorded the same scopes; deleted rows can no longer be found from the parent.
do $$
declare
  triggers constant text[] := array[
    ['conferences', 'record_conference_changes'], ['events', 'record_event_changes'],
    ['event_hosts', 'record_host_changes'], ['posters', 'record_poster_changes']];
  one text[];
begin
  foreach one slice 1 in array triggers loop
    execute format('create trigger record_inserts after insert on %I referencing new table as changed
      for each statement execute function %I()', one[1], one[2]);
    execute format('create trigger record_deletes after delete on %I referencing old table as changed
      for each statement execute function %I()', one[1], one[2]);
    execute format('create trigger record_updates_from after update on %I referencing old table as changed
      for each statement when (pg_trigger_depth() = 0) execute function %I()', one[1], one[2]);
    execute format('create trigger record_updates_to after update on %I referencing new table as changed
      for each statement when (pg_trigger_depth() = 0) execute function %I()', one[1], one[2]);
    execute format('create trigger outdate_all after truncate on %I
      for each statement execute function outdate_all()', one[1]);
  end loop;
end $$;

-- A change of a poster or conference finds the organizations that see it by their hosts. One that becomes host at the same
-- moment must wait for that change, or the change for it: its first reads would else show what no record makes outdated.
create or replace function add_hosted_posters_of_new_hosts() returns trigger language plpgsql as $$
begin
  insert into hosted_posters
    select h.organization_id, p.id, p.event_id, p.conference_id, p.listed, p.published, p.sort_order, p.created_at
    from added h join posters p on p.event_id = h.event_id for share of p;
  return null;
end $$;

create or replace function add_hosted_conferences_of_new_hosts() returns trigger language plpgsql as $$
begin
  insert into hosted_conferences
    select h.organization_id, c.id, c.start_date
    from (select distinct organization_id, conference_id from added) h join conferences c on c.id = h.conference_id
    where not exists (
      select from hosted_conferences known
      where known.organization_id = h.organization_id and known.conference_id = c.id)
    for share of c
    on conflict do nothing;
  return null;
end $$;

create or replace function add_hosted_conference_of_moved_event() returns trigger language plpgsql as $$
begin
  insert into hosted_conferences
    select new.organization_id, c.id, c.start_date from conferences c
    where c.id = new.conference_id and not exists (
      select from hosted_conferences known
      where known.organization_id = new.organization_id and known.conference_id = c.id)
    for share of c
    on conflict do nothing;
  return null;
end $$;
