import { Code } from "./code.tsx";
import { sentence } from "./field-table.tsx";
import { InlineText } from "./inline-text.tsx";
import type { OpenApi } from "./openapi.ts";
import styles from "./reference.module.css";
import type { ErrorRow, Reference } from "./reference.ts";

export function ErrorsPage({ reference, document }: { reference: Reference; document: OpenApi }) {
  const [example] = (document.components.schemas.Error?.examples ?? []) as unknown[];
  return (
    <>
      <p>
        Every error of REST and the ticketing proxy has the same body. <code>error</code> is for people and says what to
        do next. Programs branch on <code>code</code>; codes may be added. <code>request_id</code> is what to report:
        the log has the details under it.
      </p>
      <Code code={JSON.stringify(example, null, 2)} language="json" label="Error body" />
      <h2 id="rest">REST</h2>
      <ErrorTable rows={reference.errors.rest} label="Errors of REST" />
      <h2 id="ticketing">Ticketing proxy</h2>
      <ErrorTable rows={reference.errors.ticketing} label="Errors of the ticketing proxy" />
      <h2 id="tools">Tools</h2>
      <p>
        A tool that refuses returns a result with <code>isError: true</code> and{" "}
        <code>{"{error: {code, message, …}}"}</code>.
      </p>
      <dl className={styles.fields} aria-label="Errors of tools">
        {Object.entries(reference.errors.tools).map(([code, meaning]) => (
          <div key={code} className={styles.field}>
            <dt className={styles.fieldName}>
              <code>{code}</code>
            </dt>
            <dd className={styles.fieldText}>{sentence(meaning)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function ErrorTable({ rows, label }: { rows: ErrorRow[]; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="table" tabIndex={0} aria-label={label}>
      <table>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Code</th>
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ status, code, condition }) => (
            <tr key={code}>
              <td>{status}</td>
              <td>
                <code>{code}</code>
              </td>
              <td>
                <InlineText text={sentence(condition)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
