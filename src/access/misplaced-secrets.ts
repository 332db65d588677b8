import { fieldError, type ServiceError } from "../../contract/errors.js";
import { keyPrefix, refreshTokenPrefix, tokenPrefix } from "../infra/secrets.js";

/** Credentials that are recognized by their value. */
const apiKey = {
  pattern: new RegExp(`(?:${keyPrefix}|${tokenPrefix}|${refreshTokenPrefix})[0-9A-Za-z]{16,}`),
  problem: "contains an API key or a token. Send these in the Authorization header only",
};
/**
 * A guest's key on the ticketing platform, by itself or in the link of a check-in code. A cursor can begin like one, but is
 * longer.
 */
const ticketKey = {
  // Bounded: a text of many such links must not be searched to its end for each of them.
  pattern: /[?&]pk=g-|\/check-?in\/\S{0,200}[?&]pk=|^\s*g-(?=[0-9A-Za-z]*[0-9A-Z])[0-9A-Za-z]{8,40}\s*$/,
  problem: "contains a ticket key or check-in code, which admits whoever presents it. Name the guest by id or e-mail",
};

export type SecretRules = {
  /** Fields that may have no value at all. */
  isCredential?: (fieldName: string) => boolean;
  /** Fields that may hold a ticket key. */
  ticketKeyFields?: readonly string[];
};

const shownPathLength = 200;

type Node = { value: unknown; name: string; parent: Node | undefined };

/**
 * Refuses input that contains a credential where none belongs, in a value or in a field name, so that it is neither
 * stored nor forwarded. The credential does not appear in the error.
 */
export function refuseSecrets(input: unknown, rules: SecretRules = {}): void {
  // Not recursive: the depth of the input may not be limited yet.
  const left: Node[] = [{ value: input, name: "", parent: undefined }];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    const { value, name } = node;
    if (typeof value === "string") {
      const isRefusedField = value !== "" && rules.isCredential?.(name);
      if (!rules.ticketKeyFields?.includes(name)) {
        if (isRefusedField) throw refusal(node, "expected no credential here. Leave this field out");
        refuseIn(value, node, ticketKey);
      }
      refuseIn(value, node, apiKey);
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) left.push({ value: item, name: `[${index}]`, parent: node });
    } else if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        for (const secret of [ticketKey, apiKey]) refuseIn(key, node, secret);
        left.push({ value: inner, name: key, parent: node });
      }
    }
  }
}

function refuseIn(text: string, node: Node, secret: typeof apiKey): void {
  if (secret.pattern.test(text)) throw refusal(node, secret.problem);
}

function refusal(node: Node, problem: string): ServiceError {
  const path = pathOf(node).slice(0, shownPathLength);
  return fieldError(path === "" ? "body" : path, `${problem}. Nothing was stored or sent`);
}

function pathOf(node: Node): string {
  const names: string[] = [];
  for (let at: Node | undefined = node; at?.parent !== undefined; at = at.parent) names.unshift(at.name);
  return names.slice(0, shownPathLength).reduce((path, name) => {
    return path === "" || name.startsWith("[") ? path + name : `${path}.${name}`;
  }, "");
}
