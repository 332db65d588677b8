import { readFileSync } from "node:fs";
import { projectRoot } from "../infra/project-root.js";
import { fieldsOf, type Json } from "../schema/json-schema.js";
import {
  getTransferList,
  naturalKeyFields,
  type TransferList,
  type TransferListName,
  transferLists,
} from "./transfer-lists.js";

const sample = new URL("examples/import.json", projectRoot);

/** docs/import-format.md, generated from the row schemas and examples/import.json. */
export function importFormatPage(): string {
  return `# Import format

\`svc import FILE\` reads and \`svc export [FILE]\` writes one JSON document. Every list is optional. A new row needs the fields
without \`?\`; a row that is already stored keeps those that the document omits.

\`\`\`ts
{
${transferLists.map(listType).join("\n")}
}
\`\`\`

## An example

A conference with one event, in \`examples/import.json\`. In a checkout, while the service runs or not:

\`\`\`sh
./bin/svc import --check examples/import.json    # only reports what would change, or what is wrong
./bin/svc import examples/import.json
\`\`\`

\`\`\`json
${readFileSync(sample, "utf8").trimEnd()}
\`\`\`

## Rules

- **Values.** A \`timestamp\` is ISO 8601 with any offset; exports use UTC. A \`url\` is an absolute http or https URL; an \`image\`
  is a \`url\` or \`/images/<hash>.png\`, an image that this database stores. A \`timezone\` is an IANA name such as
  Europe/Lisbon, a colour is \`#rrggbb\`, and a \`slug\` consists of lower-case letters, digits and single hyphens. No object
  repeats a key.
- **Texts** have no control characters except tabs and line breaks, no characters that change the direction of text, and no
  invisible characters without an effect. Requests are refused for the first two; an import removes them, so that older
  exports can be imported, and reports the rows: \`speakers[0]: removed U+202E, which no text may have\`.
- **References** name rows of the document or stored rows. An id takes precedence over an equal name or slug; a name that
  several rows share is an error. A segment can only refer to speakers of its own event.
- **Matching.** A row is matched to a stored row by \`id\` if given, otherwise by its natural key. Importing the same document
  twice changes nothing.
- **Omitted fields** keep their stored values, also those that a new row needs: \`{"id": "…", "title": "New"}\` is a complete
  row of a stored poster. Other requests may change them during the import. In a new row, omitted fields take a default: false
  for booleans, 0 for \`sort_order\`, the time of the import for \`created_at\` and \`registered_at\`, \`pending\` for the \`status\` of a
  registration, \`speaker\` for the \`role\` of a speaker, \`talk\` for the \`kind\` of a segment, and otherwise an empty object or null.
- **\`members\`, \`hosts\` and \`speakers\`** replace all stored entries; the order of hosts and speakers is kept. An event with
  hosts has exactly one \`host\`.
- **Stored rows that the document does not contain** stay unchanged. A poster, speaker, registration or segment cannot move
  to another event.
- **Transaction.** The document is imported completely or not at all. All errors are reported at once with their paths, such
  as \`events[3].start_time: expected …\`. \`--check\` stops before writing. Both name the open invitations and
  offers of events that end, because a person loses the right to make them or an event gets another host.
- **While the service runs.** Reading, comparing and checking lock nothing. Only the rows that change are locked while
  the import writes; a request that needs one of them waits. If stored rows change in a way that affects the import, it
  compares again. A first import of 10,000 rows or more, into a database without events, locks the tables of events and of
  what belongs to them while it writes: requests that read them wait. On the embedded database all requests wait while the
  import writes. In both cases the command says so before.
- **Size.** Documents are streamed: a million rows need less than 1 GiB of memory.
- **Export.** \`svc export\` writes the same format from one snapshot of the database. It leaves out API keys, records and
  stored images: \`svc backup\` (backup.md) writes everything. Exporting, importing into an empty database and exporting
  again gives the same document. A file is only readable by its owner, and replaces an existing file when it is complete.
  \`previous_status\` is only exported for declined registrations.
`;
}

function listType(list: TransferList): string {
  const fields = fieldsOf(list.schema).map(({ name, required, field }) => {
    const reference = referencedList(list, name);
    const comment = reference === undefined ? "" : `  // ${acceptedReferences(reference)} of ${withArticle(reference)}`;
    return `    ${name}${required ? "" : "?"}: ${typeText(field)}${comment}`;
  });
  return `  ${list.name}?: {  // natural key: ${naturalKeyFields(list).join(", ")}\n${fields.join("\n")}\n  }[]`;
}

function referencedList({ parent, joinTable }: TransferList, field: string): TransferListName | undefined {
  if (parent?.field === field) return parent.list;
  return joinTable?.field === field ? joinTable.targetList : undefined;
}

function acceptedReferences(target: TransferListName): string {
  const [key] = getTransferList(target).naturalKey;
  return key?.column === "email" ? "email" : `id or ${key?.column}`;
}

function withArticle(target: TransferListName): string {
  const { noun } = getTransferList(target);
  return `${/^[aeo]/.test(noun) ? "an" : "a"} ${noun}`;
}

const formatNames: Record<string, string> = { "date-time": "timestamp", uri: "url", "uri-reference": "image" };

/** A JSON Schema in the notation of TypeScript. */
function typeText(field: Json): string {
  if (Array.isArray(field.anyOf)) return (field.anyOf as Json[]).map(typeText).join(" | ");
  if (Array.isArray(field.enum)) return field.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (field.type === "array") return `${typeText(field.items as Json)}[]`;
  if (field.type === "object" && field.properties !== undefined) {
    const entries = Object.entries(field.properties as Record<string, Json>);
    return `{ ${entries.map(([name, type]) => `${name}: ${typeText(type)}`).join("; ")} }`;
  }
  if (field.type === "object") {
    const value = field.additionalProperties as Json | undefined;
    return value?.type === undefined ? "object" : `{ [name]: ${typeText(value)} }`;
  }
  const format = typeof field.format === "string" ? field.format : undefined;
  return format === undefined ? String(field.type) : (formatNames[format] ?? format);
}
