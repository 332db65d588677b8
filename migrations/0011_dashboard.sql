-- compatible with: older versions
-- Where each poster was posted and when that was reported, one row for each link of posters.posted_urls: the dashboard lists
-- links by time, which the JSON does not have. Only the triggers below write it.
create table poster_links (
  poster_id uuid not null references posters on delete cascade,
  platform text not null,
  event_id uuid not null,
  url text not null,
  reported_at timestamptz(3) not null,
  primary key (poster_id, platform)
);
create index poster_links_of_event on poster_links (event_id, reported_at, poster_id, platform);

-- A poster that arrives with links, as by an import, was posted before: its own time is the best that is known.
create function add_poster_links() returns trigger language plpgsql as $$
begin
  insert into poster_links (poster_id, platform, event_id, url, reported_at)
  select p.id, link.key, p.event_id, link.value, p.created_at
  from added p cross join lateral jsonb_each_text(p.posted_urls) link where p.posted_urls <> '{}';
  return null;
end $$;
create trigger add_poster_links after insert on posters
  referencing new table as added for each statement execute function add_poster_links();

-- A link that stays as it was and has no row yet is from before this table: it gets the poster's own time, too.
create function keep_poster_links() returns trigger language plpgsql as $$
begin
  delete from poster_links l where l.poster_id = new.id and not coalesce(new.posted_urls ? l.platform, false);
  insert into poster_links (poster_id, platform, event_id, url, reported_at)
  select new.id, link.key, new.event_id, link.value,
    case when old.posted_urls ->> link.key = link.value then new.created_at else now() end
  from jsonb_each_text(new.posted_urls) link
  on conflict (poster_id, platform) do update set url = excluded.url,
    reported_at = case when poster_links.url = excluded.url then poster_links.reported_at else excluded.reported_at end;
  return null;
end $$;
create trigger keep_poster_links after update of posted_urls on posters for each row
  when (old.posted_urls is distinct from new.posted_urls)
  execute function keep_poster_links();
