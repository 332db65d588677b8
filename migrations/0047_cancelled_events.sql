-- compatible with: older versions
-- When the host cancelled an archived event; null for one that was archived otherwise. The host still sees it, and can take
-- the cancellation back until somebody else decides about the status.
alter table events add column cancelled_at timestamptz(3);

create function end_cancellation() returns trigger language plpgsql as $$
begin
  new.cancelled_at := null;
  return new;
end $$;
create trigger end_cancellation before update of status on events
  for each row when (new.status <> 'archived' and new.cancelled_at is not null) execute function end_cancellation();
