/** The instructions that clients give to a model before it sees the tools. */
export const instructions = [
  "Tools to manage an organization's events: profile and branding, event details, hosts, speakers, guests, posters, run of show.",
  "get_organization_admin_snapshot lists the events with their ids; event tools take an event_id.",
  "A tool that changes something previews first: it returns current, proposed, changes and commit_with.",
  "To commit, call it again with exactly the arguments of commit_with and a reason. Repeating a commit with the same idempotency_key changes nothing.",
  "On version_conflict the state has changed: check the new preview before you commit.",
  "Errors say what to do next in error.message.",
].join(" ");
