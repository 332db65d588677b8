import { runWorker } from "./worker.js";

// Signals reach the primary, which drains its workers together; Ctrl-C reaches the workers too.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});
// A log that cannot be written does not end the process.
process.stderr.on("error", () => {});

await runWorker();
