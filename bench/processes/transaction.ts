// The bare transaction of a commit: its statements with fresh ids, one after the other, on connections of the driver.
import pg from "pg";
import { type Load, loadOf } from "../support/generator.js";
import { readConfiguration, reportReady } from "../support/process.js";
import { fill } from "../support/request-plan.js";

export type TransactionReference = {
  databaseUrl: string;
  /** Placeholders as in a request: {n}, {uuid}, and the values of the connection's variant. */
  statements: { name: string | undefined; text: string; values: unknown[] }[];
  /** One for each connection. */
  variants: Record<string, string>[];
};

const { databaseUrl, statements, variants } = await readConfiguration<TransactionReference>();
const clients = await Promise.all(
  variants.map(async () => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    return client;
  }),
);
let count = 0;

process.on("message", ({ milliseconds }: { milliseconds: number }) => {
  run(milliseconds).then(
    (load) => process.send?.({ load }),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
reportReady(0);

async function run(milliseconds: number): Promise<Load> {
  const endsAt = performance.now() + milliseconds;
  const times: number[] = [];
  let requests = 0;
  const drive = async (client: pg.Client, place: number) => {
    while (performance.now() < endsAt) {
      const startedAt = performance.now();
      await commit(client, place);
      times.push(performance.now() - startedAt);
      if (performance.now() <= endsAt) requests += 1;
    }
  };
  await Promise.all(clients.map(drive));
  return loadOf(times, requests, milliseconds);
}

async function commit(client: pg.Client, place: number): Promise<void> {
  const n = count++;
  const fresh = { ...variants[place], key: crypto.randomUUID(), capacity: String(100 + (n % 1_000)) };
  await client.query("begin");
  for (const { name, text, values } of statements) {
    const filled = values.map((value) => (typeof value === "string" ? fill(value, fresh, n) : value));
    await client.query({ ...(name === undefined ? {} : { name }), text, values: filled });
  }
  await client.query("commit");
}
