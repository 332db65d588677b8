-- The posters of one event that are published, or not, in the order of their list.
create index posters_of_event_published on posters (event_id, published, sort_order, created_at, id) where listed;
create index hosted_posters_of_event_published
  on hosted_posters (event_id, organization_id, published, sort_order, created_at, poster_id) where listed;
-- An event belongs to one conference: a filter by both matches no fewer posters than one by the event.
create statistics posters_event_conference (dependencies) on event_id, conference_id from posters;
create statistics hosted_posters_event_conference (dependencies) on event_id, conference_id from hosted_posters;
