-- compatible with: older versions
-- Links with which volunteers without an account check guests of one event in, and the devices on which they were opened.

create table door_links (
  id uuid primary key default gen_random_uuid(),
  event_id uuid not null references events on delete cascade,
  organization_id uuid not null references organizations on delete cascade,
  created_by uuid not null references users on delete cascade,
  name text not null check (name <> ''),
  token_hash bytea not null unique check (length(token_hash) = 32),
  -- Of the token together with the PIN: without the token, which is not stored, nobody can try all PINs.
  pin_hash bytea not null check (length(pin_hash) = 32),
  wrong_pins integer not null default 0 check (wrong_pins >= 0),
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index door_links_of_event on door_links (event_id, organization_id, created_at) where revoked_at is null;
create index door_links_of_maker on door_links (created_by);
create index door_links_of_organization on door_links (organization_id);

create table door_sessions (
  token_hash bytea primary key check (length(token_hash) = 32),
  link_id uuid not null references door_links on delete cascade,
  created_at timestamptz(3) not null default now()
);
create index door_sessions_of_link on door_sessions (link_id, created_at);
