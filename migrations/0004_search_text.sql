-- Search in names and e-mail addresses that ignores case, diacritics and apostrophes, on a roster of 100,000.

-- The only definition of the normalized form: for stored text and for the words of a query.
-- It is decomposed (nfkd) to remove combining marks, and composed again so that a Hangul syllable or a voiced kana is one
-- character. Apostrophes go first because nfkd turns an acute accent that stands alone into a space.
-- The result is UTF-8: a search in bytes is faster than one in text, which takes twice as long for two characters.
create function search_text(value text) returns bytea language sql immutable strict parallel safe
  return convert_to(btrim(normalize(
    replace(replace(replace(replace(
      translate(
        regexp_replace(
          lower(normalize(regexp_replace(value, '[''`´‘’‛′ʹʻʼʽʾʿˈꞌ＇]', '', 'g'), nfkd)),
          '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]', '', 'g'),
        'łøđðħıŧŋəɛɔɓɗƙς', 'loddhitneeobdkσ'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    nfc)), 'UTF8');

alter table events add search_text bytea not null generated always as (search_text(name)) stored;

-- The index serves the list in order, and a search without visits to the table. An index entry holds at most 2,704
-- bytes; only names of characters that nfkd expands many times over are cut.
drop index registrations_of_event;
alter table registrations
  add search_text bytea not null generated always as (substr(search_text(email || ' ' || name), 1, 2400)) stored;
create index registrations_of_event on registrations (event_id, registered_at, id)
  include (status, checked_in_at, search_text);

-- Counts only: the search text is a column now.
create or replace function keep_roster() returns trigger language plpgsql as $$
declare
  source constant text := case tg_op
    when 'INSERT' then 'select 1 as sign, * from added'
    when 'DELETE' then 'select -1 as sign, * from removed'
    else 'select 1 as sign, * from added union all select -1, * from removed' end;
begin
  -- Ordered by event, so that two writers of several rosters cannot deadlock.
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
  return null;
end $$;

drop function fill_roster_blocks(uuid[]);
drop table roster_blocks;
drop function roster_line(text, text);
