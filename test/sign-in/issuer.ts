import { createHash, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A small OpenID Connect issuer, with switches for what a hostile or broken one does. */
export type Issuer = {
  url: string;
  clientId: string;
  clientSecret: string;
  /** What the next ID token says, and what is wrong with it. */
  next: { claims: Record<string, unknown>; nonce?: string; audience?: string; signedByOther?: boolean };
  /** The person signs in: what the issuer redirects the browser to. */
  authorize(page: string): { callback: URL };
  close(): Promise<void>;
};

const makeKeys = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

export async function startIssuer(): Promise<Issuer> {
  const keys = makeKeys();
  const otherKeys = makeKeys();
  const codes = new Map<string, { challenge: string; nonce: string }>();
  const server = createServer(async (request, response) => {
    if (request.url === "/.well-known/openid-configuration") return json(response, metadata());
    if (request.url === "/jwks") {
      const key = { ...keys.publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256", use: "sig" };
      return json(response, { keys: [key] });
    }
    if (request.url !== "/token") return json(response, { error: "not_found" }, 404);
    const form = new URLSearchParams(await readBody(request));
    const code = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const verifier = form.get("code_verifier") ?? "";
    if (code === undefined || createHash("sha256").update(verifier).digest("base64url") !== code.challenge) {
      return json(response, { error: "invalid_grant" }, 400);
    }
    json(response, { access_token: randomUUID(), token_type: "Bearer", id_token: idToken(code.nonce) });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const metadata = () => ({
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/jwks`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    code_challenge_methods_supported: ["S256"],
  });
  const idToken = (nonce: string) => {
    const { claims, audience, signedByOther, ...given } = issuer.next;
    const now = Math.floor(Date.now() / 1000);
    const payload = {
      iss: url,
      aud: audience ?? issuer.clientId,
      iat: now,
      exp: now + 300,
      nonce: given.nonce ?? nonce,
    };
    const content = `${encode({ alg: "RS256", kid: "1" })}.${encode({ ...payload, ...claims })}`;
    const { privateKey } = signedByOther ? otherKeys : keys;
    return `${content}.${sign("sha256", Buffer.from(content), privateKey).toString("base64url")}`;
  };
  const issuer: Issuer = {
    url,
    clientId: "svc",
    clientSecret: randomUUID(),
    next: { claims: {} },
    authorize(page) {
      const query = new URL(page).searchParams;
      const code = randomUUID();
      codes.set(code, { challenge: query.get("code_challenge") ?? "", nonce: query.get("nonce") ?? "" });
      const callback = new URL(query.get("redirect_uri") ?? "");
      callback.search = new URLSearchParams({ code, state: query.get("state") ?? "" }).toString();
      return { callback };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return issuer;
}

async function readBody(request: AsyncIterable<unknown>): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

function json(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
