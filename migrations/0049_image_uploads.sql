-- compatible with: older versions
-- Pictures that people of an organization have uploaded: they count in its quota for as long as they are stored, used or not.
create table image_uploads (
  organization_id uuid not null references organizations on delete cascade,
  hash text not null references images on delete cascade,
  uploaded_by uuid references users on delete set null,
  uploaded_at timestamptz(3) not null default now(),
  primary key (organization_id, hash)
);
create index image_uploads_of_image on image_uploads (hash);
create index image_uploads_by_user on image_uploads (uploaded_by);
