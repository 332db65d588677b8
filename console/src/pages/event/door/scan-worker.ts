import { decodeQR } from "qr/decode.js";

/** Decodes frames of the camera away from the page, which stays responsive. */
export type Frame = { width: number; height: number; data: Uint8ClampedArray };

self.onmessage = ({ data: frame }: MessageEvent<Frame>) => {
  let text: string | null = null;
  try {
    text = decodeQR(frame);
  } catch {
    // Most frames contain no code.
  }
  self.postMessage(text);
};
