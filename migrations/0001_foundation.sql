-- The whole domain. Closed sets of values, references and uniqueness are enforced here, not only in the service.
--
-- Copies for reading: some tables carry a copy of another row's columns (a poster knows whether its event is listed)
-- so that one index serves each list in its order for each kind of key. A copy is part of a foreign key with
-- ON UPDATE CASCADE: it cannot differ from its source. Triggers only fill it in at insert.

create function iso8601(value timestamptz) returns text language sql stable parallel safe
  return to_char(value at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- Images that the service keeps itself are stored as a path; readers see them under the address of the service.
create function absolute_url(base text, url text) returns text language sql immutable parallel safe
  return case when left(url, 1) = '/' then base || url else url end;

create function touch_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at := now();
  return new;
end $$;

create table users (
  id uuid primary key default gen_random_uuid(),
  email text not null check (email like '%_@_%'),
  name text not null check (name <> ''),
  platform_admin boolean not null default false,
  created_at timestamptz(3) not null default now()
);
create unique index users_email on users (lower(email));

create table organizations (
  id uuid primary key default gen_random_uuid(),
  name text not null check (name <> ''),
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  description text,
  website_url text,
  contact_email text,
  social_links jsonb not null default '{}' check (jsonb_typeof(social_links) = 'object'),
  logo_url text,
  logo_dark_url text,
  brand_primary_color text check (brand_primary_color ~ '^#[0-9a-fA-F]{6}$'),
  brand_secondary_color text check (brand_secondary_color ~ '^#[0-9a-fA-F]{6}$'),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create trigger touch before update on organizations for each row execute function touch_updated_at();

create table members (
  organization_id uuid not null references organizations on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member')),
  primary key (organization_id, user_id)
);
create index members_user on members (user_id);

create table conferences (
  id uuid primary key default gen_random_uuid(),
  name text not null check (name <> ''),
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  short_name text not null,
  description text not null,
  city text not null,
  start_date date not null,
  end_date date not null,
  timezone text not null,
  status text not null check (status in ('draft', 'approved', 'published', 'archived')),
  category text not null check (category in ('mainline', 'community', 'vip')),
  banner_thumbnail_url text,
  created_at timestamptz(3) not null default now(),
  listed boolean generated always as (status in ('approved', 'published')) stored,
  check (end_date >= start_date),
  unique (id, listed),
  unique (id, start_date)
);
create index conferences_listed on conferences (start_date, id) where listed;

create table events (
  id uuid primary key default gen_random_uuid(),
  conference_id uuid not null,
  conference_listed boolean not null,
  name text not null check (name <> ''),
  start_time timestamptz(3) not null,
  end_time timestamptz(3) not null,
  timezone text not null,
  venue text,
  venue_address text,
  status text not null check (status in ('draft', 'approved', 'published', 'archived')),
  category text not null check (category in ('mainline', 'community', 'sponsored', 'vip')),
  tier text check (tier in ('headline', 'vip', 'community')),
  description text,
  luma_url text,
  ticketing_event_id text unique check (ticketing_event_id <> ''),
  tile_image_url text,
  capacity integer check (capacity >= 0),
  run_of_show_published boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  listed boolean generated always as (conference_listed and status in ('approved', 'published')) stored,
  check (end_time > start_time),
  foreign key (conference_id, conference_listed) references conferences (id, listed) on update cascade on delete cascade,
  unique (id, conference_id, listed),
  unique (id, conference_id, category, start_time, listed)
);
create index events_of_conference on events (conference_id, start_time, id) where listed;
create index events_of_conference_by_category on events (conference_id, category, start_time, id) where listed;
create index events_by_name on events (conference_id, name);
create trigger touch before update on events for each row execute function touch_updated_at();

create function fill_event_copies() returns trigger language plpgsql as $$
begin
  select listed into new.conference_listed from conferences where id = new.conference_id;
  return new;
end $$;
create trigger fill_copies before insert or update of conference_id on events
  for each row execute function fill_event_copies();

create table event_hosts (
  event_id uuid not null,
  organization_id uuid not null references organizations,
  role text not null check (role in ('host', 'co_host')),
  position integer not null default 0,
  conference_id uuid not null,
  category text not null,
  start_time timestamptz(3) not null,
  listed boolean not null,
  primary key (event_id, organization_id),
  foreign key (event_id, conference_id, category, start_time, listed)
    references events (id, conference_id, category, start_time, listed) on update cascade on delete cascade
);
create unique index event_hosts_one_host on event_hosts (event_id) where role = 'host';
create index event_hosts_organization on event_hosts (organization_id, conference_id, start_time, event_id) where listed;
create index event_hosts_organization_by_category
  on event_hosts (organization_id, conference_id, category, start_time, event_id) where listed;

create function fill_event_host_copies() returns trigger language plpgsql as $$
begin
  select conference_id, category, start_time, listed
    into new.conference_id, new.category, new.start_time, new.listed
    from events where id = new.event_id for no key update;
  return new;
end $$;
create trigger fill_copies before insert on event_hosts for each row execute function fill_event_host_copies();

-- The conferences in which an organization has hosted an event, in the order of its list. A row may outlive its last
-- event: readers ask event_hosts whether there still is one.
create table hosted_conferences (
  organization_id uuid not null references organizations on delete cascade,
  conference_id uuid not null,
  start_date date not null,
  primary key (organization_id, conference_id),
  foreign key (conference_id, start_date) references conferences (id, start_date) on update cascade on delete cascade
);
create index hosted_conferences_in_order on hosted_conferences (organization_id, start_date, conference_id);

create function add_hosted_conferences_of_new_hosts() returns trigger language plpgsql as $$
begin
  insert into hosted_conferences
    select h.organization_id, c.id, c.start_date
    from (select distinct organization_id, conference_id from added) h join conferences c on c.id = h.conference_id
    on conflict do nothing;
  return null;
end $$;
create trigger add_hosted_conferences after insert on event_hosts
  referencing new table as added for each statement execute function add_hosted_conferences_of_new_hosts();

create function add_hosted_conference_of_moved_event() returns trigger language plpgsql as $$
begin
  insert into hosted_conferences
    select new.organization_id, c.id, c.start_date from conferences c where c.id = new.conference_id
    on conflict do nothing;
  return null;
end $$;
create trigger add_hosted_conference after update of conference_id on event_hosts
  for each row when (old.conference_id <> new.conference_id) execute function add_hosted_conference_of_moved_event();

create table posters (
  id uuid primary key default gen_random_uuid(),
  event_id uuid not null,
  conference_id uuid not null,
  listed boolean not null,
  image_url text not null check (image_url <> ''),
  thumbnail_url text,
  title text,
  published boolean not null default false,
  sort_order double precision not null default 0 check (sort_order not in ('NaN', 'Infinity', '-Infinity')),
  metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object'),
  posted_urls jsonb check (jsonb_typeof(posted_urls) = 'object'),
  created_at timestamptz(3) not null default now(),
  foreign key (event_id, conference_id, listed) references events (id, conference_id, listed)
    on update cascade on delete cascade,
  unique (id, event_id, conference_id, listed, published, sort_order, created_at)
);
create index posters_all on posters (sort_order, created_at, id) where listed;
create index posters_all_published on posters (published, sort_order, created_at, id) where listed;
create index posters_of_conference on posters (conference_id, sort_order, created_at, id) where listed;
create index posters_of_conference_published
  on posters (conference_id, published, sort_order, created_at, id) where listed;
create index posters_of_event on posters (event_id, sort_order, created_at, id);

create function fill_poster_copies() returns trigger language plpgsql as $$
begin
  select conference_id, listed into new.conference_id, new.listed from events where id = new.event_id for share;
  return new;
end $$;
create trigger fill_copies before insert or update of event_id on posters
  for each row execute function fill_poster_copies();

-- One row for each poster and each organization that hosts its event: what an organization's key lists.
-- A host and a poster added at the same moment find each other: their triggers lock the event in conflicting modes.
create table hosted_posters (
  organization_id uuid not null,
  poster_id uuid not null,
  event_id uuid not null,
  conference_id uuid not null,
  listed boolean not null,
  published boolean not null,
  sort_order double precision not null,
  created_at timestamptz(3) not null,
  primary key (poster_id, organization_id),
  foreign key (event_id, organization_id) references event_hosts (event_id, organization_id) on delete cascade,
  foreign key (poster_id, event_id, conference_id, listed, published, sort_order, created_at)
    references posters (id, event_id, conference_id, listed, published, sort_order, created_at)
    on update cascade on delete cascade
);
create index hosted_posters_all on hosted_posters (organization_id, sort_order, created_at, poster_id) where listed;
create index hosted_posters_all_published
  on hosted_posters (organization_id, published, sort_order, created_at, poster_id) where listed;
create index hosted_posters_of_conference
  on hosted_posters (organization_id, conference_id, sort_order, created_at, poster_id) where listed;
create index hosted_posters_of_conference_published
  on hosted_posters (organization_id, conference_id, published, sort_order, created_at, poster_id) where listed;
create index hosted_posters_of_event
  on hosted_posters (event_id, organization_id, sort_order, created_at, poster_id);

create function add_hosted_posters_of_new_posters() returns trigger language plpgsql as $$
begin
  insert into hosted_posters
    select h.organization_id, p.id, p.event_id, p.conference_id, p.listed, p.published, p.sort_order, p.created_at
    from added p join event_hosts h on h.event_id = p.event_id;
  return null;
end $$;
create trigger add_hosted_posters after insert on posters
  referencing new table as added for each statement execute function add_hosted_posters_of_new_posters();

create function add_hosted_posters_of_new_hosts() returns trigger language plpgsql as $$
begin
  insert into hosted_posters
    select h.organization_id, p.id, p.event_id, p.conference_id, p.listed, p.published, p.sort_order, p.created_at
    from added h join posters p on p.event_id = h.event_id;
  return null;
end $$;
create trigger add_hosted_posters after insert on event_hosts
  referencing new table as added for each statement execute function add_hosted_posters_of_new_hosts();

create table images (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  content_type text not null check (content_type in ('image/png', 'image/jpeg', 'image/webp')),
  bytes bytea not null,
  created_at timestamptz(3) not null default now()
);

create table speakers (
  id uuid primary key default gen_random_uuid(),
  event_id uuid not null references events on delete cascade,
  name text not null check (name <> ''),
  title text,
  company text,
  bio text,
  photo_url text,
  links jsonb not null default '{}' check (jsonb_typeof(links) = 'object'),
  role text not null default 'speaker' check (role in ('speaker', 'moderator', 'panelist', 'host')),
  position integer not null default 0,
  unique (id, event_id)
);
create index speakers_of_event on speakers (event_id, position, id);

create table registrations (
  id uuid primary key default gen_random_uuid(),
  event_id uuid not null references events on delete cascade,
  name text not null check (name <> ''),
  email text not null check (email like '%_@_%'),
  status text not null default 'pending' check (status in ('pending', 'approved', 'waitlisted', 'declined')),
  previous_status text check (previous_status in ('pending', 'approved', 'waitlisted')),
  ticket_type text,
  answers jsonb not null default '{}' check (jsonb_typeof(answers) = 'object'),
  source text,
  note text,
  registered_at timestamptz(3) not null default now(),
  checked_in_at timestamptz(3),
  check (checked_in_at is null or status = 'approved'),
  check (previous_status is null or status = 'declined')
);
create unique index registrations_email on registrations (event_id, lower(email));
create index registrations_of_event on registrations (event_id, registered_at, id);
create index registrations_of_event_by_status on registrations (event_id, status, registered_at, id);

create table segments (
  id uuid primary key default gen_random_uuid(),
  event_id uuid not null references events on delete cascade,
  title text not null check (title <> ''),
  kind text not null default 'talk'
    check (kind in ('talk', 'panel', 'break', 'performance', 'logistics', 'other')),
  start_time timestamptz(3) not null,
  duration_minutes integer not null check (duration_minutes between 1 and 10080),
  location text,
  notes text,
  position integer not null default 0,
  unique (id, event_id)
);
create index segments_of_event on segments (event_id, position, id);

create table segment_speakers (
  segment_id uuid not null,
  speaker_id uuid not null,
  event_id uuid not null,
  position integer not null default 0,
  primary key (segment_id, speaker_id),
  foreign key (segment_id, event_id) references segments (id, event_id) on delete cascade,
  foreign key (speaker_id, event_id) references speakers (id, event_id) on delete cascade
);
create index segment_speakers_speaker on segment_speakers (speaker_id);

create table api_keys (
  id uuid primary key default gen_random_uuid(),
  name text not null check (name <> ''),
  key_hash bytea not null unique check (length(key_hash) = 32),
  key_prefix text not null check (length(key_prefix) = 12),
  conference_id uuid references conferences on delete cascade,
  organization_id uuid references organizations on delete cascade,
  scopes text[] check (scopes <@ array['conferences:read', 'org:read', 'org:write', 'events:write',
                                       'registrations:read', 'registrations:write']),
  created_by uuid references users on delete cascade,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  check (conference_id is null or organization_id is null),
  check ((organization_id is null) = (scopes is null)),
  check (organization_id is null or created_by is not null),
  check (organization_id is null or coalesce(expires_at <= created_at + interval '90 days', false))
);
create index api_keys_of_organization on api_keys (organization_id) where organization_id is not null;

-- History outlives what it speaks of: its ids are plain values, not references.
create table mutation_records (
  id uuid primary key default gen_random_uuid(),
  at timestamptz(3) not null default now(),
  tool text not null check (tool <> ''),
  organization_id uuid,
  event_id uuid,
  user_id uuid,
  api_key_id uuid,
  reason text,
  idempotency_key text,
  request jsonb not null,
  request_hash text not null,
  before jsonb,
  after jsonb,
  result jsonb
);
create unique index mutation_records_idempotency
  on mutation_records (organization_id, idempotency_key) where idempotency_key is not null;
create index mutation_records_of_event on mutation_records (event_id, at, id);
create index mutation_records_of_organization on mutation_records (organization_id, at, id);
create index mutation_records_at on mutation_records (at, id);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'mutation records are append-only' using errcode = 'restrict_violation';
end $$;
create trigger append_only before update or delete or truncate on mutation_records
  for each statement execute function refuse_change();
