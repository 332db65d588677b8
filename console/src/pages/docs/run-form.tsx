import { type FormEvent, useId, useRef, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { TextArea, TextField } from "../../ui/text-field.tsx";
import { Code } from "./code.tsx";
import { sentence } from "./field-table.tsx";
import { addressOf, type Endpoint, exampleInputs, type Inputs, isPublic } from "./openapi.ts";
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
          description="Sent to this service only, and forgotten when you close or reload the page."
        />
      )}
      {(endpoint.parameters ?? []).map(({ name, in: place, required, description }) => (
        <TextField
          key={name}
          label={name}
          mono
          isRequired={required}
          optional={!required}
          value={inputs.parameters[name] ?? ""}
          onChange={(value) => setInputs({ ...inputs, parameters: { ...inputs.parameters, [name]: value } })}
          description={`In the ${place}.${description === undefined ? "" : ` ${sentence(description).replaceAll("`", "")}`}`}
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
