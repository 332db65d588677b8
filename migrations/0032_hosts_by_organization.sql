-- compatible with: older versions
-- outside a transaction
-- Administrators of the platform list the events of an organization, in any status.
create index concurrently if not exists event_hosts_of_organization on event_hosts (organization_id, event_id);
