import { once } from "node:events";
import { existsSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { AxeBuilder } from "@axe-core/playwright";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { type afterAll, afterEach, describe, expect, test } from "vitest";
import type { Database } from "../../src/infra/database/db.js";
import { hashPassword } from "../../src/sign-in/password-hashes.js";
import { savePasswordHash } from "../../src/sign-in/passwords.js";
import { emailOf } from "../sign-in/sign-in-fixture.js";
import { type Service, startService } from "../support/service.js";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = [process.env.CHROMIUM ?? "", ...places].find((path) => existsSync(path));

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

export type BrowserService = Omit<Service, "close"> & {
  browser: Browser;
  /** The cookie of a person, who has signed in as people do. */
  signIn(userId: string): Promise<string>;
  /** A browser window of its own, with its own cookies. */
  visit(options?: VisitOptions): Promise<Visitor>;
};

type VisitOptions = { size?: keyof typeof sizes; cookie?: string };

/** One for all files of a worker; it ends with the worker. */
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads there which other fixtures are needed.
const shared = test.extend("service", { scope: "worker" }, async ({}, { onCleanup }): Promise<BrowserService> => {
  const port = await findPort();
  const service = await startService({ port, publicUrl: `http://127.0.0.1:${port}` });
  const browser = await chromium.launch({
    executablePath: executablePath ?? "",
    args: ["--disable-gpu", "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"],
  });
  onCleanup(async () => {
    await browser.close();
    await service.close();
  });
  return {
    ...service,
    browser,
    signIn: (userId) => signIn(service, userId),
    visit: (options) => visit(browser, service.url, options),
  };
});

/** The whole service at its own public address, and a browser whose windows are closed after each test, or after all. */
export function useBrowser(afterTests: typeof afterEach | typeof afterAll = afterEach): BrowserService {
  const used = {} as BrowserService;
  shared.beforeAll(({ service }) => {
    Object.assign(used, service);
  });
  afterTests(async () => {
    for (const context of used.browser.contexts()) await context.close();
  });
  return used;
}

export async function setPassword(db: Database, userId: string): Promise<void> {
  await savePasswordHash(db, userId, await hashPassword(password));
}

async function signIn({ db, url, call }: Service, userId: string): Promise<string> {
  await setPassword(db, userId);
  const body = { email: await emailOf(db, userId), password };
  const reply = await call("/api/console/sign-in", { method: "POST", body, headers: { origin: url } });
  if (reply.status !== 200) throw new Error(`sign-in failed: ${reply.text}`);
  return reply.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

async function visit(
  browser: Browser,
  baseURL: string,
  { size = "desktop", cookie }: VisitOptions = {},
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
    const [name = "", value = ""] = cookie.split("=");
    await context.addCookies([{ name, value, url: baseURL, httpOnly: true, sameSite: "Lax" }]);
  }
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(`${message.text()} ${message.location().url}`);
  });
  return { context, page, expectNoErrors: () => expect(errors.splice(0)).toEqual([]) };
}

/** Checks the page as it is now: in light by all rules, in dark by those about colours, as nothing else differs. */
export async function expectAccessible(page: Page, schemes: ("light" | "dark")[] = ["light", "dark"]): Promise<void> {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    await waitForFrame(page);
    // What React Aria has announced stays for seconds, and names buttons that may be gone by then.
    const axe = new AxeBuilder({ page }).exclude("[data-live-announcer]").options({
      resultTypes: ["violations"],
      // The only one of WCAG 2.2 AA, which axe leaves out if nobody asks for it.
      rules: { "target-size": { enabled: true } },
    });
    // Takes half of the time, but leaves frames of other origins out.
    axe.setLegacyMode(page.frames().length === 1);
    const { violations } = await (colorScheme === "light" ? axe : axe.withRules(colourRules)).analyze();
    const found = violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ target }) => target.join(" ")) }));
    expect(found, `axe, ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: "light" });
}

const colourRules = ["color-contrast", "link-in-text-block"];

/** Until then, colours and sizes are those from before. */
export const waitForFrame = (page: Page) =>
  page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");

async function findPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await once(server.close(), "close");
  return port;
}
