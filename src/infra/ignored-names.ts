/** The response headers that name the query parameters and the fields of a body that an operation does not have. */
export const ignoredParametersHeader = "x-ignored-query-parameters";
export const ignoredFieldsHeader = "x-ignored-fields";

const shownNames = 10;
const longestName = 64;

/** Names what was ignored, if anything: it may be misspelled. Percent-encoded, because names come from the caller. */
export function nameIgnored(
  reply: { header(name: string, value: string): unknown },
  header: typeof ignoredParametersHeader | typeof ignoredFieldsHeader,
  names: string[],
): void {
  if (names.length === 0) return;
  const shown = names.slice(0, shownNames).map((name) => encodeURIComponent(name.slice(0, longestName).toWellFormed()));
  reply.header(header, shown.concat(names.length > shownNames ? ["..."] : []).join(", "));
}
