/** What is done with a tool of another name, or with none, and where. `names` are those that a model would give a tool for it. */
type Elsewhere = { names: RegExp; where(places: Places): string };

/** `organization` is a slug or an id: the console accepts both. */
export type Places = { baseUrl: string; organization: string };

const making = "(create|add|new|copy|clone)";
const removing = "(delete|remove|archive)";

const verbAndNoun = (verb: string, noun: string) => new RegExp(`^(${verb}_${noun}|${noun}_${verb})$`);

const renamed: Elsewhere[] = [
  {
    names: verbAndNoun(making, "events?"),
    where: () => "Admins propose events with propose_event or duplicate_event; platform administrators accept them",
  },
  { names: verbAndNoun(removing, "events?"), where: () => "Admins cancel events with cancel_event" },
  {
    names: /(^|_)upload(_|$)/,
    where: () =>
      "People upload pictures in the console; tools take their addresses, and add_event_poster copies a finished poster",
  },
];

const elsewhere: Elsewhere[] = [
  {
    names: verbAndNoun(`(${making}|${removing})`, "(conference|organization)s?"),
    where: () => "Platform administrators manage conferences and organizations in the console",
  },
  {
    names: /(^|_)(key|token)s?(_|$)|^invite(_|$)|_(invitation|member|role|user)s?$/,
    where: ({ baseUrl, organization }) => `Owners manage API keys and members at ${baseUrl}/o/${organization}/settings`,
  },
  {
    names: /(^|_)(coupon|discount|promo|promotion|ticket)s?(_|$)/,
    where: ({ baseUrl }) =>
      `Coupons and ticket types are managed with an API key, at ${baseUrl}/api/ticketing/event/coupons and /event/ticket-types`,
  },
];

/** What the instructions say about everything that no tool does. */
export function whereElse(places: Places): string {
  return elsewhere.map(({ where }) => `${where(places)}.`).join(" ");
}

/** What to do instead of calling a tool that does not exist; undefined if its name does not tell. */
export function adviceOn(tool: string, places: Places): string | undefined {
  const name = tool.replace(/([a-z])(?=[A-Z])|-/g, "$1_").toLowerCase();
  return [...renamed, ...elsewhere].find(({ names }) => names.test(name))?.where(places);
}
