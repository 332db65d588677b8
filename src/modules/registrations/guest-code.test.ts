import { randomBytes, randomUUID } from "node:crypto";
import encodeQR from "qr";
import { decodeQR } from "qr/decode.js";
import { expect, it } from "vitest";
import { refuseSecrets } from "../../access/misplaced-secrets.js";
import { withoutSecrets } from "../../infra/secrets.js";
import { codeHash, guestCodes } from "./guest-code.js";

const codes = guestCodes(randomBytes(32));
const [event, registration] = [randomUUID(), randomUUID()];
const code = codes.codeOf(event, registration);

it("names its registration, for its event only", () => {
  expect(codes.verify(event, code)).toBe(registration);
  expect(codes.verify(event, ` ${code.toLowerCase()}\n`)).toBe(registration);
  expect(codes.verify(randomUUID(), code)).toBeUndefined();
});

it("is the same each time, and another for each registration", () => {
  expect(codes.codeOf(event, registration)).toBe(code);
  const many = Array.from({ length: 500 }, () => codes.codeOf(event, randomUUID()));
  expect(new Set(many).size).toBe(many.length);
  expect(new Set(many.map(codeHash)).size).toBe(many.length);
  expect(new Set(many.map(({ length }) => length))).toEqual(new Set([41]));
});

it("keeps registrations whose id begins or ends with zeros", () => {
  for (const id of ["00000000-0000-4000-8000-000000000000", "ffffffff-ffff-4fff-bfff-ffffffffffff"]) {
    expect(codes.verify(event, codes.codeOf(event, id))).toBe(id);
  }
});

it("is refused when any character is changed, or when another service wrote it", () => {
  for (let index = 0; index < code.length; index += 1) {
    const changed = code.slice(0, index) + (code[index] === "7" ? "8" : "7") + code.slice(index + 1);
    expect(codes.verify(event, changed), `character ${index}`).toBeUndefined();
  }
  expect(guestCodes(randomBytes(32)).verify(event, code)).toBeUndefined();
});

it.each(["", "G1", "G1ILOU", `${"Z".repeat(41)}`, `G1${"Z".repeat(39)}`, "https://example.com/", "g-AbCd123456789"])(
  "does not take %j for a code",
  (text) => {
    expect(codes.verify(event, text)).toBeUndefined();
  },
);

it("is never taken for an API key or a ticket key", () => {
  for (let count = 0; count < 2_000; count += 1) {
    const another = codes.codeOf(event, randomUUID());
    refuseSecrets({ code: another, [another]: "as a name", text: `Guest ${another}` });
    expect(withoutSecrets(another)).toBe(another);
  }
});

it("fits a QR code of 29 modules, from which it is read again", () => {
  const modules = encodeQR(code, "raw", { ecc: "quartile", border: 4 });
  expect(modules.length).toBe(29 + 2 * 4);
  const scale = 6;
  const size = modules.length * scale;
  const data = new Uint8Array(size * size * 4).fill(255);
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      if (modules[Math.floor(y / scale)]?.[Math.floor(x / scale)])
        data.fill(0, (y * size + x) * 4, (y * size + x) * 4 + 3);
    }
  }
  expect(decodeQR({ width: size, height: size, data })).toBe(code);
});
