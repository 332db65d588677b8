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

insert into poster_links (poster_id, platform, event_id, url, reported_at)
select p.id, link.key, p.event_id, link.value, coalesce(reported.at, p.created_at)
from posters p
cross join lateral jsonb_each_text(p.posted_urls) link
left join lateral (
  select max(r.at) as at from mutation_records r
  where r.event_id = p.event_id and r.tool = 'patch_poster' and r.request ->> 'poster_id' = p.id::text) reported on true
where p.posted_urls <> '{}';

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

create function keep_poster_links() returns trigger language plpgsql as $$
begin
  delete from poster_links l where l.poster_id = new.id and not coalesce(new.posted_urls ? l.platform, false);
  insert into poster_links (poster_id, platform, event_id, url, reported_at)
  select new.id, link.key, new.event_id, link.value, now() from jsonb_each_text(new.posted_urls) link
  on conflict (poster_id, platform) do update set url = excluded.url,
    reported_at = case when poster_links.url = excluded.url then poster_links.reported_at else excluded.reported_at end;
  return null;
end $$;
create trigger keep_poster_links after update of posted_urls on posters for each row
  when (old.posted_urls is distinct from new.posted_urls)
  execute function keep_poster_links();

-- The events of an organization across its conferences, by time.
create index event_hosts_organization_by_time on event_hosts (organization_id, start_time, event_id) where listed;
-- The posters of an organization, newest first.
create index hosted_posters_newest on hosted_posters (organization_id, created_at, poster_id) where listed;
create index hosted_posters_newest_published
  on hosted_posters (organization_id, published, created_at, poster_id) where listed;
