-- compatible with: older versions
-- outside a transaction
-- Keys by the person whom they act for, and those of no organization.
create index concurrently if not exists api_keys_of_person on api_keys (created_by) where created_by is not null;

create index concurrently if not exists api_keys_of_platform on api_keys (created_at, id) where organization_id is null;

create index concurrently if not exists users_platform_admins on users (lower(email)) where platform_admin;
