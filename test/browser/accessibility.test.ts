import { expect, it } from "vitest";
import { expectLaidOut } from "./geometry.js";
import { documentation, moved, type Person, pages, usePages } from "./pages.js";
import { expectAccessible, sizes, withBrowser } from "./support.js";

/** One of each kind: the others have the same colours, and the check of colours takes seconds on long pages. */
const darkDocumentation = ["/docs/connect-your-agent", "/docs/api/posters", "/docs/errors", "/docs/tools/speakers"];

withBrowser("every page is accessible in light and dark, fits, covers nothing and logs no error", () => {
  const { service, open } = usePages();

  async function check(who: Person, path: string, { shown, isDark = true }: { shown?: string; isDark?: boolean }) {
    const { page, expectNoErrors } = await open(who, path, shown === undefined ? {} : { shown });
    await expectAccessible(page, isDark ? ["light", "dark"] : ["light"]);
    for (const size of [sizes.desktop, sizes.phone]) await expectLaidOut(page, size);
    expectNoErrors();
  }

  it.each(pages)("%s", async (route, who, shown) => {
    await check(who, route, { shown });
  });

  it.each(documentation)("%s", async (path) => {
    // Somebody who is signed in has more in the header.
    await check("owner", path, { isDark: darkDocumentation.includes(path) });
  });

  it("/nowhere, which is no page", async () => {
    const { page } = await service.visit();
    await page.goto("/nowhere");
    await page.getByText("There is no such page").waitFor();
    await expectAccessible(page);
  });

  it("covers every route, and every page of the documentation", async () => {
    const { page } = await service.visit();
    await page.goto("/docs");
    const links = page.getByRole("navigation", { name: "Documentation" }).getByRole("link");
    await links.first().waitFor();
    const paths = await Promise.all((await links.all()).map((link) => link.getAttribute("href")));
    expect(paths.sort()).toEqual(documentation.toSorted());
    const routes = await page.evaluate<string[]>("Object.keys(__TSR_ROUTER__.routesByPath)");
    expect(routes.sort()).toEqual([...pages.map(([route]) => route), ...moved, "/docs", "/docs/$"].sort());
  });
});
