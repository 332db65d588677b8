/** Something that no tool does, and where it is done. `names` are those that a model would give a tool for it. */
type Elsewhere = { names: RegExp; where(places: Places): string };

/** `organization` is a slug or an id: the console accepts both. */
export type Places = { baseUrl: string; organization: string };

const verbs = "(create|add|new|copy|clone|delete|remove|archive)";
const nouns = "(event|conference|organization)s?";

const elsewhere: Elsewhere[] = [
  {
    names: new RegExp(`^(${verbs}_${nouns}|${nouns}_${verbs})$`),
    where: () => "Admins propose events; platform administrators accept them",
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
  return elsewhere.find(({ names }) => names.test(name))?.where(places);
}
