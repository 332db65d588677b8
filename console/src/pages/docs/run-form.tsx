import { type FormEvent, useId, useRef, useState } from "react";
import { homeOrganizationOf, useSession } from "../../api/session.ts";
import { Button } from "../../ui/button.tsx";
import { ChoiceButtons } from "../../ui/choice-buttons.tsx";
import { Link } from "../../ui/link.tsx";
import { Select } from "../../ui/select.tsx";
import { TextArea, TextField } from "../../ui/text-field.tsx";
import { Code } from "./code.tsx";
import { sentence } from "./field-table.tsx";
import { addressOf, type Endpoint, exampleInputs, type Inputs, isPublic, type Parameter } from "./openapi.ts";
import styles from "./reference.module.css";
import { type RunResult, rememberedKey, rememberKey, runRequest } from "./run-request.ts";

/** Sends a request of the reader's own. The key is kept in memory until the page is closed, and nowhere else. */
export function RunForm({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const [inputs, setInputs] = useState<Inputs>(() => exampleInputs(endpoint));
  const [key, setKey] = useState(rememberedKey);
  const [result, setResult] = useState<RunResult>();
  const [isPending, setPending] = useState(false);
  const running = useRef<AbortController>(undefined);
  const titleId = useId();

  const send = async (event: FormEvent) => {
    event.preventDefault();
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setPending(true);
    const outcome = await runRequest(endpoint, inputs, key, controller.signal);
    if (controller.signal.aborted) return;
    setResult(outcome);
    setPending(false);
  };

  return (
    <form className={styles.run} onSubmit={(event) => void send(event)} aria-labelledby={titleId} autoComplete="off">
      <h3 id={titleId} className={styles.runTitle}>
        Run {endpoint.method} {endpoint.path}
      </h3>
      {!isPublic(endpoint) && (
        <TextField
          label="API key"
          type="password"
          autoComplete="off"
          mono
          isRequired
          value={key}
          onChange={(value) => {
            setKey(value);
            rememberKey(value);
          }}
          description={<KeyHelp />}
        />
      )}
      {(endpoint.parameters ?? []).map((parameter) => (
        <ParameterField
          key={parameter.name}
          parameter={parameter}
          value={inputs.parameters[parameter.name] ?? ""}
          onChange={(value) => setInputs({ ...inputs, parameters: { ...inputs.parameters, [parameter.name]: value } })}
        />
      ))}
      {endpoint.requestBody !== undefined && (
        <TextArea label="Body" rows={8} value={inputs.body} onChange={(body) => setInputs({ ...inputs, body })} />
      )}
      {endpoint.method !== "GET" && endpoint.path !== "/api/mcp" && (
        <p className="muted small">This request changes data. It counts like any other and is recorded.</p>
      )}
      <div className="flex gap-2">
        <Button type="submit" kind="primary" isPending={isPending}>
          Send request
        </Button>
        <Button onPress={onClose}>Close</Button>
      </div>
      <div role="status">
        {result !== undefined && <Result result={result} address={addressOf(endpoint, inputs)} />}
      </div>
    </form>
  );
}

/** Where to get a key, for people who are signed in. */
function KeyHelp() {
  const session = useSession();
  const organization = homeOrganizationOf(session);
  return (
    <>
      Sent to this service only, and forgotten when you close or reload the page.
      {organization !== undefined && (
        <>
          {" "}
          <Link to="/o/$organization/settings/keys" params={{ organization: organization.slug }}>
            Keys of {organization.name}
          </Link>
        </>
      )}
    </>
  );
}

type ParameterProps = { parameter: Parameter; value: string; onChange: (value: string) => void };

/** Text, or a choice where there are few values. */
function ParameterField({ parameter, value, onChange }: ParameterProps) {
  const { name, in: place, required, description, schema } = parameter;
  const help = `In the ${place}.${description === undefined ? "" : ` ${sentence(description).replaceAll("`", "")}`}`;
  const values = schema.type === "boolean" ? ["true", "false"] : schema.enum?.map(String);
  if (values === undefined) {
    const field = { label: name, isRequired: required, optional: !required, description: help };
    return <TextField {...field} mono value={value} onChange={onChange} />;
  }
  const choices = [
    ...(required ? [] : [{ value: "", label: "Not sent" }]),
    ...values.map((one) => ({ value: one, label: one })),
  ];
  if (schema.type !== "boolean") {
    return (
      <Select
        label={name}
        optional={!required}
        description={help}
        options={choices}
        value={value}
        onChange={onChange}
      />
    );
  }
  return (
    <div className="column gap-1">
      <span className="small medium" aria-hidden="true">
        {name}
        {!required && <span className="faint regular"> (optional)</span>}
      </span>
      <ChoiceButtons label={name} look="segments" options={choices} value={value} onChange={onChange} />
      <span className="muted small">{help}</span>
    </div>
  );
}

function Result({ result, address }: { result: RunResult; address: string }) {
  if ("failure" in result) return <p className="medium danger">{result.failure}</p>;
  const { status, milliseconds, text, language, imageUrl, remaining } = result;
  return (
    <div className={styles.result}>
      <p className={status < 400 ? "medium success" : "medium danger"}>
        Status {status}, {milliseconds} ms{remaining === null ? "" : `, ${remaining} requests left in this minute`}
      </p>
      {imageUrl === undefined ? (
        text !== "" && <Code code={text} language={language} label="Your response" />
      ) : (
        <img src={imageUrl} alt={`Response of ${address}`} className={styles.resultImage} />
      )}
    </div>
  );
}
