import { expect, it } from "vitest";
import { buildTicketingPage } from "./support/docs-page.js";

it("docs/ticketing.md shows actual responses of the proxy and the sandbox", async () => {
  await expect(await buildTicketingPage()).toMatchFileSnapshot("../../docs/ticketing.md");
});
