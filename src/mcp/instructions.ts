/** What an agent is told before it sees the tools. */
export const instructions = [
  "Tools to run an organization's events: profile and branding, event details, hosts, speakers, guests, posters, run of show.",
  "get_organization_admin_snapshot lists the events with their ids; event tools take an event_id.",
  "A tool that changes something only previews at first: it answers current, proposed, changes and commit_with.",
  "To commit, call it again with exactly the arguments of commit_with and a reason. A repeated commit with the same idempotency_key changes nothing more.",
  "On version_conflict the state has moved on: look at the new preview before you commit.",
  "Errors say what to do next in error.message.",
].join(" ");
