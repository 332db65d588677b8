import type { Warning } from "../../../contract/warnings.js";
import { problemOfImageUrl } from "../../infra/fetch-image.js";
import { hashInPath } from "./store.js";

/** A warning for each of the new addresses that posters cannot use. `addresses` are by path in the state. */
export function imageWarnings(addresses: Record<string, string | null | undefined>): Warning[] {
  return Object.entries(addresses).flatMap(([path, address]) => {
    const problem = address == null || isOwn(address) ? undefined : problemOfImageUrl(address);
    const message = `Posters cannot use this image: the address ${problem}. Use an https address of a PNG, JPEG or WebP file`;
    return problem === undefined ? [] : [{ code: "unusable_image", message, path }];
  });
}

/** The service reads images that it stores itself from its database, whatever its own address is. */
function isOwn(address: string): boolean {
  return URL.canParse(address) && hashInPath(new URL(address).pathname) !== undefined;
}
