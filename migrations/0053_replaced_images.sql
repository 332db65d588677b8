-- compatible with: older versions
-- An image that a row no longer shows counts as new: it is kept for some time, so that the change can be undone. Once a minute is
-- enough, where many rows stop showing the same image.
-- No table has to be rewritten or read, so the locks of all five are held for a moment only.
create function keep_replaced_images() returns trigger language plpgsql as $$
begin
  update images set created_at = now() where created_at < now() - interval '1 minute' and hash in (
    select left(split_part(to_jsonb(old) ->> name, '/images/', 2), 64) from unnest(tg_argv) name
    where tg_op = 'DELETE' or to_jsonb(old) ->> name is distinct from to_jsonb(new) ->> name);
  return null;
end $$;

create trigger keep_replaced_images after delete or update of image_url, thumbnail_url on posters for each row
  when (old.image_url like '%/images/%' or old.thumbnail_url like '%/images/%')
  execute function keep_replaced_images('image_url', 'thumbnail_url');

create trigger keep_replaced_images after delete or update of logo_url, logo_dark_url on organizations for each row
  when (old.logo_url like '%/images/%' or old.logo_dark_url like '%/images/%')
  execute function keep_replaced_images('logo_url', 'logo_dark_url');

create trigger keep_replaced_images after delete or update of banner_thumbnail_url on conferences for each row
  when (old.banner_thumbnail_url like '%/images/%') execute function keep_replaced_images('banner_thumbnail_url');

create trigger keep_replaced_images after delete or update of tile_image_url on events for each row
  when (old.tile_image_url like '%/images/%') execute function keep_replaced_images('tile_image_url');

create trigger keep_replaced_images after delete or update of photo_url on speakers for each row
  when (old.photo_url like '%/images/%') execute function keep_replaced_images('photo_url');
