-- compatible with: older versions
-- Apps that people have connected by signing in, and what the authorization server keeps for them.

-- One per person, organization and app: what the person lets the app do there. It works while the person is a member.
create table connected_apps (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  organization_id uuid not null references organizations on delete cascade,
  -- A generated id, or the URL of the document that describes the app.
  client_id text not null check (client_id <> '' and length(client_id) <= 2000),
  -- As the app called itself when it was connected.
  name text not null check (name <> ''),
  scopes text[] not null check (cardinality(scopes) > 0 and
    scopes <@ array['conferences:read', 'org:read', 'org:write', 'events:write', 'registrations:read', 'registrations:write']),
  connected_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3),
  ended_at timestamptz(3)
);
create unique index connected_apps_in_use on connected_apps (organization_id, user_id, client_id) where ended_at is null;
create index connected_apps_of_person on connected_apps (user_id);
create index connected_apps_of_client on connected_apps (client_id);

-- Registered clients, requests that wait for a decision, codes and tokens. Ids are stored as hashes only.
create table oauth_objects (
  kind text not null check (kind <> ''),
  id_hash bytea not null check (length(id_hash) = 32),
  app_id uuid references connected_apps on delete cascade,
  payload jsonb not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  consumed_at timestamptz(3),
  primary key (kind, id_hash)
);
create index oauth_objects_of_app on oauth_objects (app_id) where app_id is not null;
create index oauth_objects_expiry on oauth_objects (expires_at) where expires_at is not null;
create index oauth_objects_of_clients on oauth_objects (created_at) where kind = 'Client';

-- Records of changes by connected apps.
alter table mutation_records add column app_id uuid;
alter table mutation_records drop constraint mutation_records_via_check;
alter table mutation_records add constraint mutation_records_via_check
  check (via in ('key', 'app', 'console', 'command_line')) not valid;
