import { useQuery } from "@tanstack/react-query";
import { request } from "../../api/client.ts";
import { Code } from "../docs/code.tsx";
import styles from "./landing.module.css";

type Description = Record<string, unknown> & { endpoints: { method: string; path: string; summary: string }[] };

/** The beginning of GET /api/svc, as this installation answers it. */
export function LiveExample() {
  const { data, isError } = useQuery({
    queryKey: ["api-description"],
    queryFn: ({ signal }) => request("/api/svc", { signal }) as Promise<Description>,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <div className={styles.example}>
      <Code code={`curl ${location.origin}/api/svc`} language="sh" label="Request" />
      <div className={styles.response} aria-busy={data === undefined && !isError}>
        {data !== undefined && <Code code={beginningOf(data)} language="json" label="Response, shortened" tall />}
        {isError && <p>The description could not be loaded. Open /api/svc to see it.</p>}
      </div>
    </div>
  );
}

function beginningOf({ name, version, description, base_url, documentation_url, endpoints }: Description): string {
  const fields = Object.entries({ name, version, description, base_url, documentation_url });
  const lines = fields.map(([field, value]) => `  "${field}": ${JSON.stringify(value)},`);
  const shown = endpoints.slice(0, 8).map(({ method, path, summary }) => {
    const parts = Object.entries({ method, path, summary }).map(
      ([field, value]) => `"${field}": ${JSON.stringify(value)}`,
    );
    return `    { ${parts.join(", ")}, … },`;
  });
  return ["{", ...lines, '  "endpoints": [', ...shown, "    …", "  ],", "  …", "}"].join("\n");
}
