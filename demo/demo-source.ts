import type { DemoManifest } from "./demo-images.js";

/** What the moving parts of the demo follow. `baseUrl` has no slash at its end. */
export type DemoSource = { now: Date; manifest: DemoManifest; baseUrl: string };
