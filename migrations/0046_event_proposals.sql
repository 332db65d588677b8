-- compatible with: older versions
-- Drafts that an organization proposes for a conference. A row is about its event for as long as that is a draft: the
-- administrators of the platform accept it by giving it another status, or return it with a reason.
create table event_proposals (
  event_id uuid primary key references events on delete cascade,
  organization_id uuid not null references organizations on delete cascade,
  proposed_at timestamptz(3) not null default now(),
  returned_at timestamptz(3),
  return_reason text check (return_reason <> ''),
  check ((returned_at is null) = (return_reason is null))
);
create index event_proposals_of_organization on event_proposals (organization_id, proposed_at, event_id);
create index event_proposals_waiting on event_proposals (proposed_at, event_id) where returned_at is null;
