import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/**
 * What a guest shows at the door: a registration's id and a proof that this service wrote it for this event. In the
 * characters of a QR code's dense mode, so that it fits one of 29 by 29 modules.
 */
export type GuestCodes = {
  codeOf(eventId: string, registrationId: string): string;
  /** The registration that a code is for; undefined for a forged code, one of another event, or something else. */
  verify(eventId: string, code: string): string | undefined;
};

/** The first characters tell a guest code from what else is printed as a QR code, and one format from the next. */
const prefix = "G1";
const idBytes = 16;
/** A guess is right once in 2^64, and each guess needs a request of somebody who may check guests in anyway. */
const proofBytes = 8;
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const codeLength = prefix.length + Math.ceil(((idBytes + proofBytes) * 8) / 5);

export function guestCodes(key: Buffer): GuestCodes {
  const proofOf = (eventId: string, registrationId: string) =>
    createHmac("sha256", key).update(`${eventId} ${registrationId}`).digest().subarray(0, proofBytes);
  return {
    codeOf: (eventId, registrationId) =>
      prefix + encode(Buffer.concat([bytesOf(registrationId), proofOf(eventId, registrationId)])),
    verify(eventId, code) {
      const bytes = decode(code.trim().toUpperCase());
      if (bytes === undefined) return undefined;
      const registrationId = uuidOf(bytes.subarray(0, idBytes));
      return timingSafeEqual(bytes.subarray(idBytes), proofOf(eventId, registrationId)) ? registrationId : undefined;
    },
  };
}

/** What devices at the door keep instead of the code, so that a lost phone does not contain everybody's code. */
export function codeHash(code: string): string {
  return createHash("sha256").update(code).digest().subarray(0, 12).toString("base64url");
}

const bytesOf = (uuid: string) => Buffer.from(uuid.replaceAll("-", ""), "hex");

const uuidOf = (bytes: Buffer) => bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

/** The characters hold a few bits more than the bytes: the first ones are zero. */
const unusedBits = (codeLength - prefix.length) * 5 - (idBytes + proofBytes) * 8;

function encode(bytes: Buffer): string {
  return regroup([...bytes], { from: 8, to: 5, bits: unusedBits })
    .map((digit) => alphabet.charAt(digit))
    .join("");
}

function decode(code: string): Buffer | undefined {
  if (code.length !== codeLength || !code.startsWith(prefix)) return undefined;
  const digits = [...code.slice(prefix.length)].map((character) => alphabet.indexOf(character));
  const [first = -1] = digits;
  if (digits.includes(-1) || first >= 2 ** (5 - unusedBits)) return undefined;
  return Buffer.from(regroup(digits, { from: 5, to: 8, bits: -unusedBits }));
}

/** Cuts a sequence of bits into numbers of another width. `bits` is how many zeros stand before it, or are left out. */
function regroup(numbers: number[], { from, to, bits }: { from: number; to: number; bits: number }): number[] {
  const regrouped: number[] = [];
  let [held, heldBits] = [0, bits];
  for (const number of numbers) {
    held = held * 2 ** from + number;
    heldBits += from;
    while (heldBits >= to) {
      heldBits -= to;
      regrouped.push(Math.floor(held / 2 ** heldBits));
      held %= 2 ** heldBits;
    }
  }
  return regrouped;
}
