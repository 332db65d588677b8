import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createImageFetcher, type FetchedImage, imageTypeOf } from "../../src/platform/fetch-image.js";
import { isPublicAddress } from "../../src/platform/public-address.js";
import { answerWith, type PictureHost, startPictureHost } from "../support/picture-host.js";

const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(100)]);
const jpeg = Buffer.concat([Buffer.from("ffd8ffe0", "hex"), Buffer.alloc(100)]);
const webp = Buffer.concat([Buffer.from("RIFF\x10\0\0\0WEBPVP8 ", "latin1"), Buffer.alloc(100)]);

let host: PictureHost;

beforeAll(async () => {
  const redirect = (location: string, status = 302) => answerWithHead(status, { location, connection: "close" });
  host = await startPictureHost({
    "/logo.png": answerWith("image/png", png),
    "/photo.jpg": answerWith("image/jpeg", jpeg),
    "/photo.webp": answerWith("image/webp; charset=binary", webp),
    "/bytes": answerWith("application/octet-stream", png),
    "/mislabelled": answerWith("image/png", jpeg),
    "/page": answerWith("text/html", png),
    "/not-an-image": answerWith("image/png", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")),
    "/gif": answerWith("image/gif", Buffer.from("GIF89a-and-more-bytes")),
    "/empty": answerWith("image/png", Buffer.alloc(0)),
    "/announced": answerWithHead(200, { "content-type": "image/png", "content-length": "6000000" }),
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

describe("what is taken", () => {
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

  it("the first bytes tell the type", () => {
    expect([png, jpeg, webp, Buffer.from("GIF89a"), Buffer.alloc(0)].map(imageTypeOf)).toEqual([
      "image/png",
      "image/jpeg",
      "image/webp",
      undefined,
      undefined,
    ]);
  });
});

describe("what is refused", () => {
  it.each([
    ["/missing", "answered 404"],
    ["/page", "is not a PNG, JPEG or WebP image"],
    ["/not-an-image", "is not a PNG, JPEG or WebP image"],
    ["/gif", "is not a PNG, JPEG or WebP image"],
    ["/empty", "is not a PNG, JPEG or WebP image"],
    ["/announced", "is larger than 5 MiB"],
    ["/endless", "is larger than 5 MiB"],
    ["/broken", "could not be reached"],
    ["/too-often", "redirects more than 3 times"],
    ["/loop", "redirects more than 3 times"],
    ["/to-http", "is not an https address"],
    ["/to-metadata", "uses a port other than"],
    ["/to-private", "is not at a public address"],
    ["/to-user", "holds a user name or password"],
    ["/to-nowhere", "is no valid URL"],
  ])("%s", async (path, problem) => {
    expect(problemOf(await host.fetcher().fetch(host.url(path)))).toContain(problem);
  });

  it.each(["/silent", "/slow"])("%s: what takes too long as a whole", async (path) => {
    const fetcher = host.fetcher({ timeLimitMs: 300 });
    expect(await fetcher.fetch(host.url(path))).toEqual({ problem: "took longer than 300 ms" });
  });

  it("a name that is never resolved", async () => {
    const fetcher = host.fetcher({ timeLimitMs: 300, resolve: () => new Promise(() => {}) });
    expect(await fetcher.fetch(host.url("/logo.png"))).toEqual({ problem: "took longer than 300 ms" });
  });

  it("a certificate that is for another name", async () => {
    expect(await host.fetcher().fetch(host.url("/logo.png", "third.test"))).toEqual({
      problem: "could not be reached",
    });
  });

  it.each([
    ["http://pictures.test/logo.png", "is not an https address"],
    ["ftp://pictures.test/logo.png", "is not an https address"],
    ["file:///etc/passwd", "is not an https address"],
    ["data:image/png;base64,iVBORw0KGgo=", "is not an https address"],
    ["/images/x.png", "is no valid URL"],
    ["https://user@pictures.test/logo.png", "holds a user name or password"],
    ["https://:pass@pictures.test/logo.png", "holds a user name or password"],
    ["https://pictures.test:8443/logo.png", "uses a port other than 443"],
    ["https://pictures.test:22/", "uses a port other than 443"],
  ])("%s", async (url, problem) => {
    const fetcher = createImageFetcher();
    expect(await fetcher.fetch(url)).toEqual({ problem });
    await fetcher.close();
  });
});

describe("addresses that are not public", () => {
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
  ])("https://%s is refused, however it is written", async (address) => {
    const before = host.connections.length;
    const fetcher = host.fetcher({ isAllowedAddress: isPublicAddress });
    expect(await fetcher.fetch(`https://${address}:${host.port}/logo.png`)).toEqual({
      problem: "is not at a public address",
    });
    expect(host.connections).toHaveLength(before);
  });

  it.each([[["127.0.0.1"]], [["::1"]], [["1.1.1.1", "10.0.0.1"]], [["fe80::1", "2606:4700::1"]], [["nonsense"]]])(
    "a name for %j is refused without a connection",
    async (addresses) => {
      const before = host.connections.length;
      const fetcher = host.fetcher({ isAllowedAddress: isPublicAddress, resolve: async () => addresses });
      expect(await fetcher.fetch(host.url("/logo.png"))).toEqual({ problem: "is not at a public address" });
      expect(host.connections).toHaveLength(before);
    },
  );

  it("the system's own names for this machine are refused", async () => {
    const fetcher = createImageFetcher();
    expect(await fetcher.fetch("https://localhost/logo.png")).toEqual({ problem: "is not at a public address" });
    await fetcher.close();
  });

  // 127.0.0.1 plays the public internet here, and 127.0.0.2 the private network: the server listens on both.
  it("a name that turns to a private address after it was checked is refused when it is connected to", async () => {
    const before = host.connections.length;
    const resolved: string[] = [];
    const fetcher = host.fetcher({
      resolve: async () => {
        resolved.push(resolved.length === 0 ? "127.0.0.1" : "127.0.0.2");
        return resolved.slice(-1);
      },
    });
    // The first answer closes its connection: what it redirects to, under the same name, needs a second one.
    expect(await fetcher.fetch(host.url("/once"))).toEqual({ problem: "is not at a public address" });
    expect(resolved).toEqual(["127.0.0.1", "127.0.0.2"]);
    expect(host.connections.slice(before)).toEqual(["127.0.0.1"]);
  });

  it("a name is resolved once for a connection: there is no second answer to go to", async () => {
    const before = host.connections.length;
    let lookups = 0;
    const fetcher = host.fetcher({ resolve: async () => [lookups++ === 0 ? "127.0.0.1" : "127.0.0.2"] });
    expect(await fetcher.fetch(host.url("/logo.png"))).toEqual({ bytes: png });
    expect(lookups).toBe(1);
    expect(host.connections.slice(before)).toEqual(["127.0.0.1"]);
  });

  it("a redirect to another name that is private is refused", async () => {
    const before = host.connections.length;
    const fetcher = host.fetcher({
      resolve: async (name) => [name === "pictures.test" ? "127.0.0.1" : "127.0.0.2"],
    });
    expect(await fetcher.fetch(host.url("/to-other"))).toEqual({ problem: "is not at a public address" });
    expect(host.connections.slice(before)).toEqual(["127.0.0.1"]);
  });
});

function problemOf(fetched: FetchedImage): string {
  return "problem" in fetched ? fetched.problem : `${fetched.bytes.length} bytes`;
}

function answerWithHead(
  status: number,
  headers: Record<string, string>,
): Parameters<typeof startPictureHost>[0][string] {
  return (response) => {
    response.writeHead(status, headers);
    response.flushHeaders();
    if (status !== 200) response.end();
  };
}
