import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { AxeBuilder } from "@axe-core/playwright";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import sql from "sql-template-tag";
import { describe, expect } from "vitest";
import { hashPassword } from "../../src/sign-in/password-hashes.js";
import { savePasswordHash } from "../../src/sign-in/password-store.js";
import { type Service, startService } from "../support/service.js";

const executablePath = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
]
  .filter((path) => path !== undefined)
  .find((path) => existsSync(path));

/** Suites that need a browser are skipped where none is found; summary-reporter.ts lists them. */
export const withBrowser = describe.skipIf(executablePath === undefined);

export const sizes = { phone: { width: 360, height: 740 }, desktop: { width: 1440, height: 900 } };

export type Visitor = {
  context: BrowserContext;
  page: Page;
  /** Fails if the page logged an error or violated the Content-Security-Policy since the last call. */
  expectNoErrors(): void;
};

export const password = "four unrelated words";

export type BrowserService = Service & {
  /** The cookie of a person, who has signed in as people do. */
  signIn(userId: string): Promise<string>;
  signOut(cookie: string): Promise<void>;
  /** A browser window of its own, with its own cookies. */
  visit(options?: { size?: keyof typeof sizes; cookie?: string }): Promise<Visitor>;
};

/** The whole service at its own public address, and a browser. */
export async function startBrowserService(): Promise<BrowserService> {
  const port = await findPort();
  const service = await startService({ port, publicUrl: `http://127.0.0.1:${port}` });
  const browser = await launch();
  return {
    ...service,
    signIn: (userId) => signIn(service, userId),
    async signOut(cookie) {
      const headers = { cookie, origin: service.url };
      const reply = await service.call("/api/console/sign-out", { method: "POST", body: {}, headers });
      if (reply.status !== 204) throw new Error(`sign-out failed: ${reply.text}`);
    },
    visit: (options) => visit(browser, service.url, options),
    async close() {
      await browser.close();
      await service.close();
    },
  };
}

async function signIn(service: Service, userId: string): Promise<string> {
  const [user] = await service.db.query<{ email: string }>(sql`select email from users where id = ${userId}`);
  await savePasswordHash(service.db, userId, await hashPassword(password));
  const reply = await service.call("/api/console/sign-in", {
    method: "POST",
    body: { email: user?.email, password },
    headers: { origin: service.url },
  });
  if (reply.status !== 200) throw new Error(`sign-in failed: ${reply.text}`);
  return (reply.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}

function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: executablePath ?? "",
    args: [
      ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
      ...["--disable-component-update", "--disable-sync", "--use-fake-ui-for-media-stream"],
      "--use-fake-device-for-media-stream",
    ],
  });
}

async function visit(
  browser: Browser,
  baseURL: string,
  { size = "desktop", cookie }: { size?: keyof typeof sizes; cookie?: string } = {},
): Promise<Visitor> {
  const isPhone = size === "phone";
  const context = await browser.newContext({
    baseURL,
    viewport: sizes[size],
    hasTouch: isPhone,
    isMobile: isPhone,
    reducedMotion: "reduce",
    locale: "en-GB",
  });
  context.setDefaultTimeout(20_000);
  if (cookie !== undefined) {
    const [name = "", value = ""] = cookie.split(/=(.*)/s);
    await context.addCookies([{ name, value, url: baseURL, httpOnly: true, sameSite: "Lax" }]);
  }
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  return {
    context,
    page,
    expectNoErrors() {
      expect(errors.splice(0)).toEqual([]);
    },
  };
}

/** Checks the page as it is now: in light by all rules, in dark by those about colours, as nothing else differs. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // Colours of the theme before would be measured until the next frame.
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    // What React Aria has announced stays for seconds, and names buttons that may be gone by then.
    const axe = new AxeBuilder({ page }).exclude("[data-live-announcer]");
    const { violations } = await (colorScheme === "light" ? axe : axe.withRules(colourRules)).analyze();
    const found = violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ target }) => target.join(" ")) }));
    expect(found, `axe, ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
}

const colourRules = ["color-contrast", "link-in-text-block"];

async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
