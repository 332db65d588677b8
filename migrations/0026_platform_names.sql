-- compatible with: older versions
-- outside a transaction
-- Names of platforms are compared without case and surrounding spaces. Where a poster has a platform twice, the link that was
-- reported last keeps the name, and the others get a number unless they are the same. No links are null.
do $$
declare
  batch uuid[] := array['00000000-0000-0000-0000-000000000000'];
  poster record;
  link record;
  links jsonb;
  times jsonb;
  name text;
  number int;
begin
  loop
    batch := array(select id from posters where id > batch[cardinality(batch)] order by id limit 1000);
    exit when cardinality(batch) = 0;
    for poster in
      select p.id, p.posted_urls from posters p
      where p.id = any (batch) and p.posted_urls is not null and (p.posted_urls = '{}' or (
        select count(distinct lower(btrim(k))) < count(*) or bool_or(k <> btrim(k)) from jsonb_object_keys(p.posted_urls) k))
      for no key update
    loop
      links := '{}';
      times := '{}';
      for link in
        select btrim(given.key) as name, given.value as url, l.reported_at
        from jsonb_each_text(poster.posted_urls) given
        left join poster_links l on l.poster_id = poster.id and l.platform = given.key
        order by l.reported_at desc nulls last, given.key
      loop
        continue when exists (
          select from jsonb_each_text(links) kept where lower(kept.key) = lower(link.name) and kept.value = link.url);
        name := link.name;
        number := 1;
        while exists (
          select from (select k from jsonb_object_keys(links) k
            union all select btrim(k) from jsonb_object_keys(poster.posted_urls) k where number > 1) taken
          where lower(taken.k) = lower(name))
        loop
          number := number + 1;
          name := left(link.name, 60) || ' ' || number;
        end loop;
        links := links || jsonb_build_object(name, link.url);
        times := times || jsonb_build_object(name, link.reported_at);
      end loop;
      update posters set posted_urls = nullif(links, '{}') where id = poster.id;
      update poster_links l set reported_at = (times ->> l.platform)::timestamptz
      where l.poster_id = poster.id and times ->> l.platform is not null;
    end loop;
    commit;
  end loop;
end $$;
