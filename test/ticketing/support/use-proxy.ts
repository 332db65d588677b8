import { afterEach, beforeAll } from "vitest";
import { type LinkedEvent, type RunningProxy, startProxy } from "./proxy.js";
import { httpResponse, type RecordingUpstream, startRecordingUpstream } from "./recording-upstream.js";

// Set-up that test files share; see ../../support/setup.ts.

/** An organization with a key, and an event of it that is linked to the platform. */
export type Tenant = { organizationId: string; key: string; event: LinkedEvent };

export async function createTenant(proxy: RunningProxy): Promise<Tenant> {
  const organizationId = await proxy.make.organization();
  return {
    organizationId,
    key: await proxy.make.organizationKey(organizationId),
    event: await proxy.linkedEvent([organizationId]),
  };
}

/** Starts a proxy with one tenant before the tests, in front of a platform that accepts everything, and closes it after them. */
export function useProxy(): { proxy: RunningProxy; upstream: RecordingUpstream; tenant: Tenant } {
  const [proxy, upstream, tenant] = [{} as RunningProxy, {} as RecordingUpstream, {} as Tenant];
  beforeAll(async () => {
    Object.assign(upstream, await startRecordingUpstream(() => httpResponse(200, {})));
    Object.assign(proxy, await startProxy(upstream.url));
    Object.assign(tenant, await createTenant(proxy));
    return async () => {
      await proxy.close();
      await upstream.close();
    };
  });
  return { proxy, upstream, tenant };
}

/** For tests that start proxies with options of their own: what they pass is closed after each test, in reverse order. */
export function useClosing(): (...close: (() => Promise<void>)[]) => void {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  return (...close) => void closing.push(...close);
}
