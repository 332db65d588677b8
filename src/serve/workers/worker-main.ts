import { leaveSignalsToParent } from "../../infra/stop-signals.js";
import { runWorker } from "./worker.js";

leaveSignalsToParent();
// A log that cannot be written does not end the process.
process.stderr.on("error", () => {});

await runWorker();
