import { capitalized } from "../../../../contract/capitalized.ts";
import { defaultInWords, typeInWords } from "../../../../contract/type-in-words.ts";
import { InlineText } from "./inline-text.tsx";
import type { Schema } from "./openapi.ts";
import styles from "./reference.module.css";

export type FieldRow = { name: string; schema: Schema; required?: boolean; description?: string; place?: string };

/** Fields with type, whether they are required, and what they mean. A list, because a table is too wide for a phone. */
export function FieldTable({ rows, label }: { rows: FieldRow[]; label: string }) {
  return (
    <dl className={styles.fields} aria-label={label}>
      {rows.map(({ name, schema, required = false, description = schema.description, place }) => (
        <div key={`${place ?? ""} ${name} ${typeInWords(schema)}`} className={styles.field}>
          <dt className={styles.fieldName}>
            <code>{name}</code>
            <span className="faint tiny regular">
              <InlineText text={typeInWords(schema)} />
            </span>
            {place !== undefined && <span className="faint tiny regular">{place}</span>}
            {required && <span className="tiny medium warning">required</span>}
          </dt>
          <dd className={styles.fieldText}>
            {description !== undefined && <InlineText text={sentence(description)} />}
            {defaultInWords(schema) !== "" && (
              <>
                {" "}
                <InlineText text={sentence(defaultInWords(schema))} />
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Descriptions of declarations are phrases: "false on the last page". */
export function sentence(text: string): string {
  const started = /^[`{]|^\w*_\w*\b/.test(text) ? text : capitalized(text);
  return /[.!?:]$/.test(started) ? started : `${started}.`;
}
