-- compatible with: older versions
-- A writer of many rows may supply the copies itself, which is several times faster than a trigger per row. It must lock the
-- events as the functions below do, so that a host and a poster added at the same moment find each other. A foreign key
-- rejects a copy that differs from its original, whoever wrote it. An update needs a new copy only if the reference changes.
create or replace trigger fill_copies before insert on events
  for each row when (new.conference_listed is null) execute function fill_event_copies();
create trigger fill_moved_copies before update of conference_id on events
  for each row when (old.conference_id <> new.conference_id) execute function fill_event_copies();

create or replace trigger fill_copies before insert on event_hosts
  for each row when (new.conference_id is null or new.category is null or new.start_time is null or new.listed is null)
  execute function fill_event_host_copies();

create or replace trigger fill_copies before insert on posters
  for each row when (new.conference_id is null or new.listed is null) execute function fill_poster_copies();
create trigger fill_moved_copies before update of event_id on posters
  for each row when (old.event_id <> new.event_id) execute function fill_poster_copies();
