import { Suspense, useState } from "react";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { lazyPart } from "../../ui/lazy-part.ts";
import { Code } from "./code.tsx";
import { FieldTable, sentence } from "./field-table.tsx";
import { InlineText } from "./inline-text.tsx";
import { type Endpoint, exampleInputs, flatFields, isPublic, type OpenApi, resolver, type Schema } from "./openapi.ts";
import styles from "./reference.module.css";
import { RequestExample } from "./request-example.tsx";
import { requestOf } from "./request-examples.ts";
import { SectionHeading } from "./section-heading.tsx";

const RunForm = lazyPart(() => import("./run-form.tsx"), "RunForm");

/** One operation: what it takes and returns on one side, an example request and response on the other. */
export function OperationSection({ endpoint, document }: { endpoint: Endpoint; document: OpenApi }) {
  const [running, setRunning] = useState(false);
  const resolve = resolver(document.components.schemas);
  const { parameters = [], requestBody, responses } = endpoint;
  const body = requestBody?.content["application/json"]?.schema;
  const success = responses[200]?.content?.["application/json"];
  return (
    <section className={styles.entry} aria-labelledby={endpoint.operationId}>
      <div className={styles.entryText}>
        <SectionHeading id={endpoint.operationId}>{sentence(endpoint.summary).replace(/\.$/, "")}</SectionHeading>
        <p className="flex wrap centered gap-2">
          <Badge tone={endpoint.method === "GET" ? "neutral" : "accent"}>{endpoint.method}</Badge>
          <code>{endpoint.path}</code>
        </p>
        {endpoint.description !== undefined && (
          <p>
            <InlineText text={endpoint.description} />
          </p>
        )}
        <Permission endpoint={endpoint} />
        {parameters.length > 0 && (
          <>
            <h3 className={styles.part}>Parameters</h3>
            <FieldTable
              label={`Parameters of ${endpoint.operationId}`}
              rows={parameters.map(({ in: place, ...rest }) => ({ ...rest, place }))}
            />
          </>
        )}
        {body !== undefined && (
          <SchemaFields title="Body" schema={body} resolve={resolve} id={endpoint.operationId} open />
        )}
        {success?.schema !== undefined && (
          <SchemaFields title="Response" schema={success.schema} resolve={resolve} id={endpoint.operationId} />
        )}
        <Errors endpoint={endpoint} />
      </div>
      <div className={styles.entryExample}>
        <RequestExample
          request={requestOf(endpoint, exampleInputs(endpoint))}
          name={endpoint.operationId}
          label="Request"
        />
        {success?.example !== undefined && (
          <Code code={JSON.stringify(success.example, null, 2)} language="json" label="Response, 200" />
        )}
        {running ? (
          <Suspense fallback={null}>
            <RunForm endpoint={endpoint} onClose={() => setRunning(false)} />
          </Suspense>
        ) : (
          endpoint.deprecated !== true && (
            <div>
              <Button onPress={() => setRunning(true)} aria-label={`Run it: ${endpoint.operationId}`}>
                Run it
              </Button>
            </div>
          )
        )}
      </div>
    </section>
  );
}

function Permission({ endpoint }: { endpoint: Endpoint }) {
  const { "x-scope": scope, "x-role": role } = endpoint;
  if (isPublic(endpoint)) return <p className="muted small">Needs no key.</p>;
  return (
    <p className="muted small">
      {scope === undefined ? (
        "Needs any valid key."
      ) : (
        <>
          An organization key needs the scope <code>{scope}</code>
          {role !== undefined && `, and its user the role ${role} or a higher one`}.
        </>
      )}
    </p>
  );
}

type SchemaProps = { title: string; id: string; schema: Schema; resolve: (schema: Schema) => Schema; open?: boolean };

function SchemaFields({ title, id, schema, resolve, open = false }: SchemaProps) {
  const fields = flatFields(schema, resolve);
  if (fields.length === 0) return null;
  const table = (
    <FieldTable
      label={`${title} of ${id}`}
      rows={fields.map(({ path, schema: field, required }) => ({
        name: path,
        schema: field,
        required: required && open,
        ...(field.description === undefined ? {} : { description: field.description }),
      }))}
    />
  );
  if (open) {
    return (
      <>
        <h3 className={styles.part}>{title}</h3>
        {table}
      </>
    );
  }
  return (
    <details className={styles.details}>
      <summary>
        {title} <span className="faint tiny regular">{fields.length} fields</span>
      </summary>
      {table}
    </details>
  );
}

function Errors({ endpoint }: { endpoint: Endpoint }) {
  const errors = Object.entries(endpoint.responses).filter(([status]) => Number(status) >= 400);
  return (
    <details className={styles.details}>
      <summary>
        Errors <span className="faint tiny regular">{errors.map(([status]) => status).join(", ")}</span>
      </summary>
      <dl className={styles.fields} aria-label={`Errors of ${endpoint.operationId}`}>
        {errors.map(([status, { description, "x-code": code }]) => (
          <div key={status} className={styles.field}>
            <dt className={styles.fieldName}>
              <strong>{status}</strong>
              <code className="faint tiny regular">{code}</code>
            </dt>
            <dd className={styles.fieldText}>
              <InlineText text={sentence(description)} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
