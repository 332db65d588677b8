import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createImageFetcher, type FetchedImage, imageTypeOf } from "../../src/infra/fetch-image.js";
import { isPublicAddress } from "../../src/infra/public-address.js";
import { type PictureHost, respondWith, startPictureHost } from "../support/picture-host.js";

const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(100)]);
const jpeg = Buffer.concat([Buffer.from("ffd8ffe0", "hex"), Buffer.alloc(100)]);
const webp = Buffer.concat([Buffer.from("RIFF\x10\0\0\0WEBPVP8 ", "latin1"), Buffer.alloc(100)]);

let host: PictureHost;

beforeAll(async () => {
  const redirect = (location: string, status = 302) => respondWithHead(status, { location, connection: "close" });
  host = await startPictureHost({
    "/logo.png": respondWith("image/png", png),
    "/photo.jpg": respondWith("image/jpeg", jpeg),
    "/photo.webp": respondWith("image/webp; charset=binary", webp),
    "/bytes": respondWith("application/octet-stream", png),
    "/mislabelled": respondWith("image/png", jpeg),
    "/page": respondWith("text/html", png),
    "/not-an-image": respondWith("image/png", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")),
    "/gif": respondWith("image/gif", Buffer.from("GIF89a-and-more-bytes")),
    "/empty": respondWith("image/png", Buffer.alloc(0)),
    "/announced": respondWithHead(200, { "content-type": "image/png", "content-length": "6000000" }),
    "/endless": (response) => {
      response.writeHead(200, { "content-type": "image/png" });
      response.write(png);
      const timer = setInterval(() => response.write(Buffer.alloc(65_536)), 1);
      response.on("close", () => clearInterval(timer));
    },
    "/silent": () => {},
    "/slow": (response) => {
      response.writeHead(200, { "content-type": "image/png" });
      const timer = setInterval(() => response.write("x"), 20);
      response.on("close", () => clearInterval(timer));
    },
    "/broken": (response) => {
      response.writeHead(200, { "content-type": "image/png", "content-length": "500" });
      response.write(png, () => response.destroy());
    },
    "/once": redirect("/logo.png"),
    "/twice": redirect("/once", 301),
    "/thrice": redirect("/twice", 307),
    "/too-often": redirect("/thrice", 308),
    "/loop": redirect("/loop"),
    "/to-http": redirect("http://pictures.test/logo.png"),
    "/to-metadata": redirect("https://169.254.169.254/latest/meta-data"),
    "/to-private": (response, { socket }) => {
      response.writeHead(302, { location: `https://127.0.0.2:${socket.localPort}/logo.png` }).end();
    },
    "/to-other": (response, { socket }) => {
      response.writeHead(302, { location: `https://other.test:${socket.localPort}/logo.png` }).end();
    },
    "/to-user": (response, { socket }) => {
      response.writeHead(302, { location: `https://me:secret@pictures.test:${socket.localPort}/logo.png` }).end();
    },
    "/to-nowhere": redirect("https://"),
  });
});
afterAll(() => host.close());

describe("accepts", () => {
  it.each([
    ["/logo.png", png],
    ["/photo.jpg", jpeg],
    ["/photo.webp", webp],
    ["/bytes", png],
    ["/mislabelled", jpeg],
    ["/once", png],
    ["/twice", png],
    ["/thrice", png],
    ["/to-other", png],
  ])("%s", async (path, bytes) => {
    expect(await host.fetcher().fetch(host.url(path))).toEqual({ bytes });
  });

  it("detects the type from the first bytes", () => {
    expect([png, jpeg, webp, Buffer.from("GIF89a"), Buffer.alloc(0)].map(imageTypeOf)).toEqual([
      "image/png",
      "image/jpeg",
      "image/webp",
      undefined,
      undefined,
    ]);
  });
});

describe("refuses", () => {
  it.each([
    ["/missing", "returned status 404"],
    ["/page", "is not a PNG, JPEG or WebP image"],
    ["/not-an-image", "is not a PNG, JPEG or WebP image"],
    ["/gif", "is not a PNG, JPEG or WebP image"],
    ["/empty", "is not a PNG, JPEG or WebP image"],
    ["/announced", "is larger than 5 MiB"],
    ["/endless", "is larger than 5 MiB"],
    ["/broken", "could not be fetched"],
    ["/too-often", "redirects more than 3 times"],
    ["/loop", "redirects more than 3 times"],
    ["/to-http", "is not an https URL"],
    ["/to-metadata", "uses a port other than"],
    ["/to-private", "does not resolve to a public address"],
    ["/to-user", "contains a user name or password"],
    ["/to-nowhere", "is not a valid URL"],
  ])("%s", async (path, problem) => {
    expect(problemOf(await host.fetcher().fetch(host.url(path)))).toContain(problem);
  });

  it.each(["/silent", "/slow"])("a response that exceeds the total timeout: %s", async (path) => {
    const fetcher = host.fetcher({ timeoutMs: 300 });
    expect(await fetcher.fetch(host.url(path))).toEqual({ problem: "timed out after 300 ms" });
  });

  it("a host name that never resolves", async () => {
    const fetcher = host.fetcher({ timeoutMs: 300, resolve: () => new Promise(() => {}) });
    expect(await fetcher.fetch(host.url("/logo.png"))).toEqual({ problem: "timed out after 300 ms" });
  });

  it("a certificate for another name", async () => {
    expect(await host.fetcher().fetch(host.url("/logo.png", "third.test"))).toEqual({
      problem: "could not be fetched",
    });
  });

  it.each([
    ["http://pictures.test/logo.png", "is not an https URL"],
    ["ftp://pictures.test/logo.png", "is not an https URL"],
    ["file:///etc/passwd", "is not an https URL"],
    ["data:image/png;base64,iVBORw0KGgo=", "is not an https URL"],
    ["/images/x.png", "is not a valid URL"],
    ["https://user@pictures.test/logo.png", "contains a user name or password"],
    ["https://:pass@pictures.test/logo.png", "contains a user name or password"],
    ["https://pictures.test:8443/logo.png", "uses a port other than 443"],
    ["https://pictures.test:22/", "uses a port other than 443"],
  ])("%s", async (url, problem) => {
    const fetcher = createImageFetcher();
    expect(await fetcher.fetch(url)).toEqual({ problem });
    await fetcher.close();
  });
});

describe("non-public addresses", () => {
  it.each([
    "127.0.0.1",
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "127.1",
    "0",
    "10.0.0.1",
    "169.254.169.254",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[fd00:ec2::254]",
    "[fe80::1]",
  ])("refuses the literal address %s", async (address) => {
    const before = host.connections.length;
    const fetcher = host.fetcher({ isAllowedAddress: isPublicAddress });
    expect(await fetcher.fetch(`https://${address}:${host.port}/logo.png`)).toEqual({
      problem: "does not resolve to a public address",
    });
    expect(host.connections).toHaveLength(before);
  });

  it.each([[["127.0.0.1"]], [["::1"]], [["1.1.1.1", "10.0.0.1"]], [["fe80::1", "2606:4700::1"]], [["nonsense"]]])(
    "refuses a name that resolves to %j without connecting",
    async (addresses) => {
      const before = host.connections.length;
      const fetcher = host.fetcher({ isAllowedAddress: isPublicAddress, resolve: async () => addresses });
      expect(await fetcher.fetch(host.url("/logo.png"))).toEqual({ problem: "does not resolve to a public address" });
      expect(host.connections).toHaveLength(before);
    },
  );

  it("refuses localhost as resolved by the system", async () => {
    const fetcher = createImageFetcher();
    expect(await fetcher.fetch("https://localhost/logo.png")).toEqual({
      problem: "does not resolve to a public address",
    });
    await fetcher.close();
  });

  // Here 127.0.0.1 counts as public and 127.0.0.2 as private; the server listens on both.
  it("refuses a name that resolves to a private address on a second connection (DNS rebinding)", async () => {
    const before = host.connections.length;
    const resolved: string[] = [];
    const fetcher = host.fetcher({
      resolve: async () => {
        resolved.push(resolved.length === 0 ? "127.0.0.1" : "127.0.0.2");
        return resolved.slice(-1);
      },
    });
    // The first response closes its connection, so the redirect under the same name needs a second one.
    expect(await fetcher.fetch(host.url("/once"))).toEqual({ problem: "does not resolve to a public address" });
    expect(resolved).toEqual(["127.0.0.1", "127.0.0.2"]);
    expect(host.connections.slice(before)).toEqual(["127.0.0.1"]);
  });

  it("resolves a name once per connection", async () => {
    const before = host.connections.length;
    let lookups = 0;
    const fetcher = host.fetcher({ resolve: async () => [lookups++ === 0 ? "127.0.0.1" : "127.0.0.2"] });
    expect(await fetcher.fetch(host.url("/logo.png"))).toEqual({ bytes: png });
    expect(lookups).toBe(1);
    expect(host.connections.slice(before)).toEqual(["127.0.0.1"]);
  });

  it("refuses a redirect to a name that resolves to a private address", async () => {
    const before = host.connections.length;
    const fetcher = host.fetcher({
      resolve: async (name) => [name === "pictures.test" ? "127.0.0.1" : "127.0.0.2"],
    });
    expect(await fetcher.fetch(host.url("/to-other"))).toEqual({ problem: "does not resolve to a public address" });
    expect(host.connections.slice(before)).toEqual(["127.0.0.1"]);
  });
});

function problemOf(fetched: FetchedImage): string {
  return "problem" in fetched ? fetched.problem : `${fetched.bytes.length} bytes`;
}

function respondWithHead(
  status: number,
  headers: Record<string, string>,
): Parameters<typeof startPictureHost>[0][string] {
  return (response) => {
    response.writeHead(status, headers);
    response.flushHeaders();
    if (status !== 200) response.end();
  };
}
