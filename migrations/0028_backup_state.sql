-- compatible with: older versions
-- When the last backup of this database was made, and the last one that was verified, for the metrics. Not part of backups.
create table backup_state (
  only_row boolean primary key default true check (only_row),
  backed_up_at timestamptz not null,
  verified_at timestamptz
);
