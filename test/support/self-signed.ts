import { generateKeyPairSync, sign } from "node:crypto";

/** A self-signed certificate for these DNS names and its key, both as PEM, valid from 2000 to 2100. */
export function selfSigned(names: string[]): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(objectId("2a8648ce3d040302"));
  const name = sequence(der(0x31, sequence(objectId("550403"), der(0x0c, Buffer.from("test")))));
  const alternatives = sequence(...names.map((dnsName) => der(0x82, Buffer.from(dnsName))));
  const certificate = sequence(
    der(0xa0, integer(2)),
    integer(1),
    algorithm,
    name,
    sequence(time("20000101000000Z"), time("21000101000000Z")),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(objectId("551d11"), der(0x04, alternatives)))),
  );
  const signature = sign("sha256", certificate, privateKey);
  const whole = sequence(certificate, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${whole.toString("base64").replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const head = length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, Buffer.concat(parts));
const integer = (value: number) => der(0x02, Buffer.from([value]));
const objectId = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const time = (text: string) => der(0x18, Buffer.from(text));
