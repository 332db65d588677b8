import { describe, expect, it } from "vitest";
import { createResponseReader } from "../../bench/support/response-reader.js";

const page = "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello world";

describe("the reader of responses", () => {
  it("knows when a response is complete, wherever it is cut", () => {
    const reader = createResponseReader(true);
    for (let cut = 1; cut < page.length; cut += 1) {
      expect(reader.read(Buffer.from(page.slice(0, cut)))).toBe(false);
      expect(reader.read(Buffer.from(page.slice(cut)))).toBe(true);
      expect(reader.status()).toBe(200);
      expect(reader.text()).toBe(page);
    }
  });

  it("keeps bodies although the buffer of the connection is used again", () => {
    const reader = createResponseReader(true);
    const buffer = Buffer.alloc(page.length);
    for (const part of [page.slice(0, 45), page.slice(45)]) {
      buffer.fill(0);
      reader.read(buffer.subarray(0, buffer.write(part)));
    }
    expect(reader.text()).toBe(page);
  });

  it("expects no body after 304 and 204", () => {
    const reader = createResponseReader(false);
    expect(reader.read(Buffer.from("HTTP/1.1 304 Not Modified\r\nEtag: x\r\n\r\n"))).toBe(true);
    expect(reader.status()).toBe(304);
    expect(reader.read(Buffer.from("HTTP/1.1 204 No Content\r\n\r\n"))).toBe(true);
  });

  it("reads chunked bodies to their end", () => {
    const reader = createResponseReader(false);
    expect(reader.read(Buffer.from("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n"))).toBe(false);
    expect(reader.read(Buffer.from("0\r\n\r\n"))).toBe(true);
    expect(reader.read(Buffer.from(page))).toBe(true);
  });

  it("refuses more than was announced", () => {
    expect(() => createResponseReader(false).read(Buffer.from(`${page}!`))).toThrow("more than one response");
  });
});
