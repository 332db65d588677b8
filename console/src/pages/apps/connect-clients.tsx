import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { Link } from "../../ui/link.tsx";
import { Select } from "../../ui/select.tsx";
import styles from "./apps.module.css";
import { type Client, clientsFor, isPublicAddress } from "./clients.ts";

/** What to do in each client, with the address filled in. */
export function ConnectClients({ baseUrl }: { baseUrl: string }) {
  const clients = clientsFor(baseUrl);
  const [chosen, setChosen] = useState("claude");
  const client = clients.find(({ id }) => id === chosen);
  return (
    <div className={styles.clients}>
      <Select
        label="Which one?"
        options={clients.map(({ id, title }) => ({ value: id, label: title }))}
        value={chosen}
        onChange={setChosen}
      />
      {client !== undefined && <Instructions client={client} isReachable={isPublicAddress(baseUrl)} />}
      <p className={styles.faint}>
        Programs that run without a person use a key instead.{" "}
        <Link to="/docs/$" params={{ _splat: "connect-your-agent" }}>
          How to connect an agent
        </Link>
      </p>
    </div>
  );
}

function Instructions({ client, isReachable }: { client: Client; isReachable: boolean }) {
  const { title, steps, code, label, what, install, isRemote = false } = client;
  return (
    <div className={styles.client}>
      {isRemote && !isReachable && (
        <InlineNotice tone="warning">
          {title.split(":")[0]} sends its requests from its own servers: it needs an address with https that is
          reachable from the internet, which this one is not.
        </InlineNotice>
      )}
      <ol className={styles.steps}>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <CodeBlock code={code} label={label} what={what} />
      {install !== undefined && (
        <Button icon="external" onPress={() => window.location.assign(install)}>
          Add to {title}
        </Button>
      )}
    </div>
  );
}
