import type { FastifyInstance } from "fastify";
import type { Readiness } from "../infra/observability/readiness.js";

export type HealthResponse = { status: number; body: string };

export type Health = {
  check: Readiness["check"];
  /** Whether everything responds that should; without it, responding is enough. */
  isAlive?: () => Promise<boolean>;
};

/** For supervisors and load balancers: public, without key and rate limit, on the main port and the operations port. */
export const healthPaths: Record<string, (health: Health) => Promise<HealthResponse>> = {
  /** Responds as long as the event loop runs; a process that does not should be restarted. */
  "/livez": async ({ isAlive }) => {
    const alive = (await isAlive?.()) ?? true;
    return { status: alive ? 200 : 503, body: JSON.stringify({ alive }) };
  },
  "/readyz": async (health) => {
    const report = await health.check();
    return { status: report.ready ? 200 : 503, body: JSON.stringify(report) };
  },
};

export function addHealthRoutes(app: FastifyInstance, readiness: Readiness): void {
  for (const [path, respond] of Object.entries(healthPaths)) {
    app.get(path, async (_request, reply) => {
      const { status, body } = await respond(readiness);
      return reply.code(status).type("application/json; charset=utf-8").header("cache-control", "no-store").send(body);
    });
  }
}
