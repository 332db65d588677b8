import { Badge } from "../../ui/badge.tsx";
import { Link } from "../../ui/link.tsx";
import { Code } from "./code.tsx";
import { FieldTable } from "./field-table.tsx";
import { InlineText } from "./inline-text.tsx";
import { flatFields, resolver, type Schema } from "./openapi.ts";
import styles from "./reference.module.css";
import type { Reference, Tool } from "./reference.ts";
import { RequestExample } from "./request-example.tsx";
import type { ExampleRequest } from "./request-examples.ts";
import { SectionHeading } from "./section-heading.tsx";

const eventRoles = { host: "the host of the event", host_or_co_host: "the host or a co-host of the event" };

export function ToolSection({ tool }: { tool: Tool }) {
  const own = fieldsOf(tool.input);
  const output = tool.output === null ? [] : fieldsOf(tool.output, 0);
  return (
    <section className={styles.entry} aria-labelledby={tool.name}>
      <div className={styles.entryText}>
        <SectionHeading id={tool.name} mono>
          {tool.name}
        </SectionHeading>
        <p className="flex wrap centered gap-2">
          <Badge tone={tool.kind === "read" ? "neutral" : "accent"}>{effectOf(tool)}</Badge>
          <span>{tool.title}</span>
        </p>
        <p>
          <InlineText text={tool.description} />
        </p>
        <p className="muted small">
          The key needs the scope <code>{tool.scope}</code>, its user the role {tool.role}
          {tool.role === "owner" ? "" : " or a higher one"}
          {tool.event_role === null ? "" : `, and its organization must be ${eventRoles[tool.event_role]}`}.
        </p>
        <h3 className={styles.part}>Arguments</h3>
        {own.length === 0 ? <p>None of its own.</p> : <FieldTable label={`Arguments of ${tool.name}`} rows={own} />}
        {tool.kind === "mutation" && (
          <p className="muted small">
            And those of a commit:{" "}
            <Link to="/docs/$" params={{ _splat: "tools" }}>
              how tools work
            </Link>
            .
          </p>
        )}
        {output.length > 0 && (
          <details className={styles.details}>
            <summary>
              Result <span className="faint tiny regular">{output.map(({ name }) => name).join(", ")}</span>
            </summary>
            <FieldTable label={`Result of ${tool.name}`} rows={output} />
          </details>
        )}
      </div>
      <div className={styles.entryExample}>
        <Code
          code={JSON.stringify({ name: tool.name, arguments: tool.example }, null, 2)}
          language="json"
          label="tools/call"
        />
        <RequestExample request={requestOf(tool)} name={tool.name} label="Over HTTP" />
      </div>
    </section>
  );
}

/** What is common to all tools, and the list of them. */
export function ToolsIntroduction({ reference }: { reference: Reference }) {
  return (
    <>
      <h2 id="calling-a-tool">Calling a tool</h2>
      <p>
        Assistants find the tools at <code>/api/mcp</code> and call them over the Model Context Protocol:{" "}
        <Link to="/docs/$" params={{ _splat: "connect-your-agent" }}>
          connect your agent
        </Link>
        . A tool is listed when the key has its scope, the key's user has its role, and, for event tools, the
        organization hosts an event. A tool that is not listed cannot be called.
      </p>
      <h2 id="preview-then-commit">Preview, then commit</h2>
      <p>
        A tool that changes something does nothing at first: it returns the <code>current</code> and the{" "}
        <code>proposed</code> state, <code>warnings</code>, and <code>commit_with</code>. To commit, call it again with
        the arguments of <code>commit_with</code> and a <code>reason</code>. Every commit is recorded with person, key,
        reason and both states. Repeating one returns the earlier result.
      </p>
      <FieldTable label="Arguments of a commit" rows={commitArguments} />
      <h2 id="all-tools">All tools</h2>
      <ul className={styles.toolList}>
        {reference.tools.map((tool) => (
          <li key={tool.name}>
            <Link to="/docs/$" params={{ _splat: `tools/${tool.group}` }} hash={tool.name}>
              <code>{tool.name}</code>
            </Link>
            <span className={styles.fieldText}>
              {tool.title}, {effectOf(tool)}
            </span>
          </li>
        ))}
      </ul>
      <h2 id="scopes">Scopes</h2>
      <FieldTable
        label="Scopes"
        rows={Object.entries(reference.scopes).map(([name, description]) => ({
          name,
          description,
          schema: scopeSchema,
        }))}
      />
    </>
  );
}

const scopeSchema: Schema = { type: "scope" };

const commitArguments = [
  { name: "dry_run", schema: { type: "boolean", default: true }, description: "false to commit" },
  { name: "confirm", schema: { type: "boolean" }, description: "true to commit" },
  { name: "reason", schema: { type: "string", minLength: 1, maxLength: 500 }, description: "why; recorded" },
  {
    name: "idempotency_key",
    schema: { type: "string", minLength: 1, maxLength: 128 },
    description: "the preview suggests one; repeating a commit with it changes nothing more",
  },
  {
    name: "expected_version",
    schema: { type: "string" },
    description: "from the preview; refused if the state has changed",
  },
];

function effectOf({ kind, destructive }: Tool): string {
  if (kind === "read") return "reads";
  return destructive ? "changes, can overwrite" : "changes";
}

function fieldsOf(schema: Tool["input"], depth = 1) {
  const fields = flatFields(schema, resolver(schema.$defs ?? {}), depth);
  return fields.map(({ path, schema: field, required }) => ({ name: path, schema: field, required }));
}

function requestOf({ name, example }: Tool): ExampleRequest {
  return {
    method: "POST",
    address: "/api/mcp",
    needsKey: true,
    headers: {},
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: example } },
    returnsJson: true,
  };
}
