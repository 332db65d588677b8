-- compatible with: older versions
-- An invitation, and the offer of an event, end with the right of the person who made them.

alter table invitations
  add column inviter_id uuid references users on delete cascade,
  -- An operator at the command line has no account whose right could end.
  add column by_operator boolean not null default false,
  add check (inviter_id is null or not by_operator);
create index invitations_of_inviter on invitations (inviter_id);

alter table host_offers add column offered_by uuid references users on delete cascade;
create index host_offers_by on host_offers (offered_by);

-- The same transaction made a record of them. Those whose record is not found can no longer be accepted.
update invitations i set inviter_id = r.user_id
from mutation_records r join users u on u.id = r.user_id
where i.accepted_at is null and i.withdrawn_at is null and r.at = i.created_at
  and r.tool in ('invite_member', 'invite_person') and lower(r.request ->> 'email') = lower(i.email);
update invitations i set by_operator = true
from mutation_records r
where i.accepted_at is null and i.withdrawn_at is null and r.at = i.created_at
  and r.tool = 'svc:users invite' and r.request ->> 'invitation_id' = i.id::text;
update host_offers o set offered_by = r.user_id
from mutation_records r join users u on u.id = r.user_id
where r.at = o.offered_at and r.tool = 'set_event_primary_host' and r.event_id = o.event_id;

-- Whether a person may invite somebody to an organization with any role, or to administer the platform.
create function may_invite(person uuid, organization uuid, to_administer boolean) returns boolean language sql stable as $$
  select exists (select from users where id = person and platform_admin)
    or not to_administer
      and exists (select from members where user_id = person and organization_id = organization and role = 'owner')
$$;

-- Whether a person may offer events of an organization to others.
create function may_offer_events(person uuid, organization uuid) returns boolean language sql stable as $$
  select exists (
    select from members where user_id = person and organization_id = organization and role in ('owner', 'admin'))
$$;

-- For good, whoever ends the right: a person who gets it back has to invite and offer again.
create function end_invitations_and_offers() returns trigger language plpgsql as $$
declare
  person uuid = case when tg_table_name = 'users' then to_jsonb(new) ->> 'id' else to_jsonb(old) ->> 'user_id' end;
begin
  update invitations set withdrawn_at = now()
  where inviter_id = person and accepted_at is null and withdrawn_at is null
    and not may_invite(inviter_id, organization_id, platform_admin);
  delete from host_offers where offered_by = person and not may_offer_events(offered_by, from_organization_id);
  return null;
end $$;
create trigger end_invitations_and_offers_of_removed_member after delete on members
  for each row execute function end_invitations_and_offers();
create trigger end_invitations_and_offers_of_changed_member after update of role on members
  for each row when (old.role <> new.role) execute function end_invitations_and_offers();
create trigger end_invitations_of_changed_administrator after update of platform_admin on users
  for each row when (old.platform_admin and not new.platform_admin) execute function end_invitations_and_offers();
