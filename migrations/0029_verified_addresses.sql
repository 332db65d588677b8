-- compatible with: older versions
-- When it was shown that the person who uses an account has its e-mail address: by an OpenID Connect issuer, by a link that was
-- mailed there, or by an operator. An invitation shows it to nobody, because whoever invites sees the link too.
alter table users add column email_verified_at timestamptz(3);
update users u set email_verified_at = linked.at
from (select user_id, min(created_at) as at from accounts where provider_id <> 'credential' group by user_id) linked
where linked.user_id = u.id;

-- Whether somebody can sign in with a password to an account whose address nobody has verified.
create function has_unverified_address(person uuid) returns boolean language sql stable as $$
  select exists (
    select from users u join accounts a on a.user_id = u.id
    where u.id = person and u.email_verified_at is null and a.password_hash is not null)
$$;
