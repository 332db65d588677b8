-- compatible with: older versions
-- Sign-in to the console. Tokens are stored as hashes only; passwords as scrypt hashes.

-- How a person signs in: with a password (provider 'credential'), or with an account of an OpenID Connect issuer.
create table accounts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  provider_id text not null check (provider_id <> ''),
  account_id text not null check (account_id <> ''),
  password_hash text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (provider_id, account_id),
  -- With the uniqueness above: a person has at most one password.
  check ((provider_id = 'credential') = (password_hash is not null)),
  check (provider_id <> 'credential' or account_id = user_id::text)
);
create index accounts_of_user on accounts (user_id);

create table sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  token_hash bytea not null unique check (length(token_hash) = 32),
  ip_address text,
  user_agent text check (length(user_agent) <= 400),
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index sessions_of_user on sessions (user_id, last_used_at);

-- Open until it is accepted, withdrawn or expired. Without an organization it only makes a person known to the platform.
create table invitations (
  id uuid primary key default gen_random_uuid(),
  token_hash bytea not null unique check (length(token_hash) = 32),
  email text not null check (email like '%_@_%'),
  organization_id uuid references organizations on delete cascade,
  role text check (role in ('owner', 'admin', 'member')),
  platform_admin boolean not null default false,
  -- The name of the person or operator, as it was then.
  invited_by text not null check (invited_by <> ''),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  withdrawn_at timestamptz(3),
  check ((organization_id is null) = (role is null)),
  check (accepted_at is null or withdrawn_at is null)
);
create unique index invitations_open on invitations (lower(email), organization_id) nulls not distinct
  where accepted_at is null and withdrawn_at is null;
create index invitations_of_organization on invitations (organization_id, created_at);

-- One link per person: a new one replaces the last.
create table password_resets (
  user_id uuid primary key references users on delete cascade,
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);

-- Secrets that the service generates for itself where the configuration has none.
create table service_secrets (
  name text primary key,
  value text not null check (value <> '')
);
