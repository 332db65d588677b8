-- What keeps a roster of 100,000 registrations quick: its counts, its search, its filters, and the history of each guest.

-- One row an event: how many registrations are in each state. Also the lock that writers of one roster queue on.
create table rosters (
  event_id uuid primary key references events on delete cascade,
  pending integer not null,
  approved integer not null,
  waitlisted integer not null,
  declined integer not null,
  checked_in integer not null
);

-- The text of a roster for search by substring: each block holds consecutive registrations in the order of the list,
-- a line each. A search looks through some 3,000 blocks instead of 100,000 rows, and stops at a full page. Any
-- substring is found, also one or two characters, which no index of words or trigrams serves.
-- A block may still name a registration that was deleted since: readers look at the row itself.
create table roster_blocks (
  event_id uuid not null references events on delete cascade,
  first_at timestamptz(3) not null,
  first_id uuid not null,
  ids uuid[] not null,
  -- Bytes, because the search in bytes takes the same time for every pattern; in text, two characters take the longest.
  search bytea not null,
  primary key (event_id, first_at, first_id)
) with (toast_tuple_target = 8160);
-- Kept in the row as they are: unpacking would take longer than searching.
alter table roster_blocks alter ids set storage external, alter search set storage external;

-- One line of a block. A tab stands between name and e-mail, so that no search without one matches across them.
create function roster_line(name text, email text) returns text language sql immutable parallel safe
  return lower(replace(name || E'\t' || email, E'\n', ' '));

-- Puts registrations into their blocks: opens the blocks that they belong to, and closes them anew, split where full.
create function fill_roster_blocks(registration_ids uuid[]) returns void language sql as $$
  with arrived as (
    select r.id, r.event_id, coalesce(before.first_at, earliest.first_at) as first_at,
      coalesce(before.first_id, earliest.first_id) as first_id
    from unnest(registration_ids) wanted (id)
    join registrations r on r.id = wanted.id
    left join lateral (
      select b.first_at, b.first_id from roster_blocks b
      where b.event_id = r.event_id and (b.first_at, b.first_id) <= (r.registered_at, r.id)
      order by b.first_at desc, b.first_id desc limit 1) before on true
    left join lateral (
      select b.first_at, b.first_id from roster_blocks b
      where b.event_id = r.event_id and before.first_id is null
      order by b.first_at, b.first_id limit 1) earliest on true
  ), opened as (
    delete from roster_blocks b using (select distinct event_id, first_at, first_id from arrived) a
    where (b.event_id, b.first_at, b.first_id) = (a.event_id, a.first_at, a.first_id)
    returning b.event_id, b.first_at, b.first_id, b.ids
  ), members as (
    select o.event_id, o.first_at, o.first_id, member.id from opened o, unnest(o.ids) member (id)
    union
    select event_id, first_at, first_id, id from arrived
  ), numbered as (
    select m.event_id, m.first_at, m.first_id, r.id, r.registered_at, roster_line(r.name, r.email) as line,
      row_number() over (block order by r.registered_at, r.id) - 1 as number, count(*) over block as size
    from members m join registrations r on r.id = m.id and r.event_id = m.event_id
    window block as (partition by m.event_id, m.first_at, m.first_id)
  )
  insert into roster_blocks (event_id, first_at, first_id, ids, search)
  select event_id, min(registered_at), (array_agg(id order by registered_at, id))[1],
    array_agg(id order by registered_at, id),
    convert_to(string_agg(line, E'\n' order by registered_at, id), 'UTF8')
  from numbered
  group by event_id, first_at, first_id, number * ((size + 31) / 32) / size
$$;

create function keep_roster() returns trigger language plpgsql as $$
declare
  source constant text := case tg_op
    when 'INSERT' then 'select 1 as sign, * from added'
    when 'DELETE' then 'select -1 as sign, * from removed'
    else 'select 1 as sign, * from added union all select -1, * from removed' end;
  moved uuid[];
begin
  -- In the order of the events, so that two writers of several rosters do not wait for each other in a circle.
  execute format($sql$
    insert into rosters (event_id, pending, approved, waitlisted, declined, checked_in)
    select event_id,
      coalesce(sum(sign) filter (where status = 'pending'), 0), coalesce(sum(sign) filter (where status = 'approved'), 0),
      coalesce(sum(sign) filter (where status = 'waitlisted'), 0), coalesce(sum(sign) filter (where status = 'declined'), 0),
      coalesce(sum(sign) filter (where checked_in_at is not null), 0)
    from (%s) change where exists (select from events e where e.id = change.event_id)
    group by event_id order by event_id
    on conflict (event_id) do update set
      pending = rosters.pending + excluded.pending, approved = rosters.approved + excluded.approved,
      waitlisted = rosters.waitlisted + excluded.waitlisted, declined = rosters.declined + excluded.declined,
      checked_in = rosters.checked_in + excluded.checked_in$sql$, source);
  if tg_op = 'INSERT' then
    perform fill_roster_blocks(array_agg(id)) from added;
  elsif tg_op = 'UPDATE' then
    -- A registration that changes its place in the list is rare: its whole roster is laid out anew.
    select array_agg(distinct place.event_id) into moved
    from added a join removed r on r.id = a.id, unnest(array[a.event_id, r.event_id]) place (event_id)
    where (a.event_id, a.registered_at) <> (r.event_id, r.registered_at);
    delete from roster_blocks where event_id = any (moved);
    perform fill_roster_blocks(array_agg(id)) from (
      select a.id from added a join removed r on r.id = a.id where (a.name, a.email) <> (r.name, r.email)
      union select id from registrations where event_id = any (moved)) changed
    having count(*) > 0;
  end if;
  return null;
end $$;

create trigger keep_roster_of_added after insert on registrations
  referencing new table as added for each statement execute function keep_roster();
create trigger keep_roster_of_changed after update on registrations
  referencing old table as removed new table as added for each statement execute function keep_roster();
create trigger keep_roster_of_removed after delete on registrations
  referencing old table as removed for each statement execute function keep_roster();

insert into rosters (event_id, pending, approved, waitlisted, declined, checked_in)
select event_id, count(*) filter (where status = 'pending'), count(*) filter (where status = 'approved'),
  count(*) filter (where status = 'waitlisted'), count(*) filter (where status = 'declined'), count(checked_in_at)
from registrations group by event_id;
select fill_roster_blocks(array_agg(id)) from registrations;

create index registrations_checked_in on registrations (event_id, registered_at, id) where checked_in_at is not null;
create index registrations_not_checked_in on registrations (event_id, registered_at, id) where checked_in_at is null;
create index registrations_expected on registrations (event_id, registered_at, id)
  where status = 'approved' and checked_in_at is null;

-- The registrations that a record speaks of: the one of its request, those of a batch, or the one that it made.
create function recorded_registrations(request jsonb, after jsonb) returns text[] language sql immutable parallel safe
  return array_remove(
    array[request ->> 'registration_id', after -> 'registration' ->> 'id']
      || (select array_agg(id) from jsonb_array_elements_text(
            case jsonb_typeof(request -> 'registration_ids') when 'array' then request -> 'registration_ids' end) id),
    null);
create index mutation_records_of_registration on mutation_records using gin (recorded_registrations(request, after))
  with (fastupdate = off) where request ?| array['registration_id', 'registration_ids'] or after ? 'registration';
