import { expect, it } from "vitest";
import { buildTicketingPage } from "./support/docs-page.js";

it("docs/ticketing.md shows what the proxy and the sandbox really answer", async () => {
  await expect(await buildTicketingPage()).toMatchFileSnapshot("../../docs/ticketing.md");
});
