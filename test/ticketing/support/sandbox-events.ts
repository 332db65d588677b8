/** The seed of most sandbox tests. */
export const event = {
  id: "evt-Talk",
  name: "A talk",
  start_at: "2030-05-01T18:00:00Z",
  end_at: "2030-05-01T19:30:00Z",
  timezone: "Europe/Lisbon",
  hosts: [{ name: "Harbor Labs", email: "hello@harbor.example.com" }],
  ticket_types: [
    { name: "Standard", type: "paid" as const, cents: 2500, currency: "eur" },
    { name: "Student", type: "free" as const },
    { name: "Crew", type: "free" as const, is_hidden: true },
  ],
  guests: [
    { email: "Ada@example.com", name: "Ada Byron King", answers: { company: "Engines" } },
    { email: "bo@example.com", name: "Bo", approval_status: "pending_approval" as const },
    { email: "cy@example.com", approval_status: "declined" as const, ticket_type: "Student" },
  ],
  coupons: [{ code: "Early", discount: { discount_type: "percent" as const, percent_off: 10 } }],
};
export const other = { ...event, id: "evt-Other", guests: [], coupons: [] };
