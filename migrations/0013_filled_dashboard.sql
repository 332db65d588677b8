-- compatible with: older versions
-- outside a transaction
-- The links from before, some posters at a time: a poster that changes meanwhile waits for its batch, and its trigger then
-- finds what the batch has written. When a link was reported is known from the record of the poster's last change.
do $$
declare
  batch uuid[] := array['00000000-0000-0000-0000-000000000000'];
begin
  loop
    batch := array(select id from posters where id > batch[cardinality(batch)] order by id limit 1000);
    exit when cardinality(batch) = 0;
    insert into poster_links (poster_id, platform, event_id, url, reported_at)
    select p.id, link.key, p.event_id, link.value, coalesce(reported.at, p.created_at)
    from (select * from posters where id = any (batch) and posted_urls <> '{}' for no key update) p
    cross join lateral jsonb_each_text(p.posted_urls) link
    left join lateral (
      select max(r.at) as at from mutation_records r
      where r.event_id = p.event_id and r.tool = 'patch_poster' and r.request ->> 'poster_id' = p.id::text) reported on true
    on conflict do nothing;
    commit;
  end loop;
end $$;

analyze poster_links;

-- The events of an organization across its conferences, by time.
create index concurrently if not exists event_hosts_organization_by_time
  on event_hosts (organization_id, start_time, event_id) where listed;

-- The posters of an organization, newest first.
create index concurrently if not exists hosted_posters_newest
  on hosted_posters (organization_id, created_at, poster_id) where listed;

create index concurrently if not exists hosted_posters_newest_published
  on hosted_posters (organization_id, published, created_at, poster_id) where listed;
