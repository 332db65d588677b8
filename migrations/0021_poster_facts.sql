-- compatible with: older versions
-- What the image of a poster shows of its event: name, times, place and speakers as they were when it was drawn. Null if that
-- is not known, as for imported posters.
alter table posters add column drawn_from jsonb;
