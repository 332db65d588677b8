-- compatible with: older versions
-- Who made the link for a new password, if that was a person: they have seen it. Mailed ones and those of operators name nobody.
alter table password_resets add column created_by uuid references users on delete cascade;

-- Whether a person may make a link with which another one sets a new password, which is as much as signing in as them:
-- administrators of the platform for everybody else, and owners for members whose account opens nothing but the owner's own
-- organization. Who signs in with OpenID Connect would not notice that the account has another password.
create function may_reset_password(maker uuid, person uuid) returns boolean language sql stable as $$
  select maker <> person and (
    exists (select from users where id = maker and platform_admin)
    or exists (
      select from members mine join members theirs on theirs.organization_id = mine.organization_id
      where mine.user_id = maker and mine.role = 'owner' and theirs.user_id = person)
    and not exists (select from users where id = person and platform_admin)
    and (select count(*) from members where user_id = person) = 1
    and not exists (select from accounts where user_id = person and provider_id <> 'credential'))
$$;
