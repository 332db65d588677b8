-- compatible with: older versions
-- What a change replaced, row by row, so that it can be reverted exactly (docs/decisions/reverting.md): a list of
-- {"table", "before", "after"}, where an added row has no "before" and a removed one no "after". Of a changed row both have its
-- key and the columns that differ.
alter table mutation_records add column row_changes jsonb;

-- A transaction that wants its changes kept sets svc.row_changes to '['. What follows is appended to it.
create function keep_row_change() returns trigger language plpgsql as $$
declare
  keys constant text[] := string_to_array(tg_argv[0], ' ');
  -- Copies of other rows and what is computed: they follow by themselves.
  derived constant text[] := string_to_array(tg_argv[1], ' ');
  row_before jsonb := to_jsonb(old) - derived;
  row_after jsonb := to_jsonb(new) - derived;
  same text[];
begin
  if tg_op = 'UPDATE' then
    if row_before = row_after then return null; end if;
    select array_agg(b.key) into same from jsonb_each(row_before) b
    where b.value = row_after -> b.key and b.key <> all (keys);
    row_before := row_before - coalesce(same, '{}');
    row_after := row_after - coalesce(same, '{}');
  end if;
  perform set_config('svc.row_changes', current_setting('svc.row_changes') || jsonb_build_object(
    'table', tg_table_name, 'before', row_before, 'after', row_after) || ',', true);
  return null;
end $$;

-- What the transaction has kept; null if nothing.
create function kept_row_changes() returns jsonb language sql stable
  return case when current_setting('svc.row_changes', true) like '[{%'
    then (rtrim(current_setting('svc.row_changes', true), ',') || ']')::jsonb end;

do $$
declare
  tables constant text[] := array[
    ['organizations', 'id', 'updated_at'],
    ['events', 'id', 'updated_at conference_listed listed search_text'],
    ['event_hosts', 'event_id organization_id', 'conference_id category start_time listed'],
    ['speakers', 'id', ''],
    ['segments', 'id', ''],
    ['segment_speakers', 'segment_id speaker_id', ''],
    ['registrations', 'id', 'search_text'],
    ['posters', 'id', 'conference_id listed']];
  one text[];
begin
  foreach one slice 1 in array tables loop
    execute format('create trigger keep_row_change after insert or update or delete on %I for each row
      when (current_setting(''svc.row_changes'', true) <> '''') execute function keep_row_change(%L, %L)',
      one[1], one[2], one[3]);
  end loop;
end $$;

-- The revert of a record that is in effect: null if there is none, or if it was reverted itself.
create function revert_in_effect(record_id uuid) returns uuid language sql stable
  begin atomic
    with recursive chain as (
      select record_id as id, 0 as length
      union all
      select latest.id, chain.length + 1 from chain, lateral (
        select r.id from mutation_records r
        where r.tool = 'revert_change' and r.request ->> 'record_id' = chain.id::text
        order by r.at desc, r.id desc limit 1) latest
      where chain.length < 100)
    select (array_agg(chain.id order by chain.length))[2] from chain having count(*) % 2 = 0;
  end;
