-- compatible with: older versions
-- When a key was replaced by another one. It may work for a while longer, and nobody has to be reminded of its end.
alter table api_keys add column replaced_at timestamptz(3);
