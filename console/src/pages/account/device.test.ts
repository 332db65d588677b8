import { expect, it } from "vitest";
import { deviceOf } from "./device.ts";

it.each([
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0",
    "Edge on Windows",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 CriOS/130 Mobile Safari/604.1",
    "Chrome on iPhone",
  ],
  ["Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/130 Mobile Safari/537.36", "Chrome on Android"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605 Version/18.0 Safari/605", "Safari on Mac"],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/130.0 Safari/537.36 OPR/115.0", "Opera on Windows"],
  [
    "Mozilla/5.0 (Linux; Android 14) SamsungBrowser/26.0 Chrome/122.0 Mobile Safari/537.36",
    "Samsung Internet on Android",
  ],
  ["Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605 FxiOS/131.0 Mobile Safari/605", "Firefox on iPad"],
  ["Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36", "Chrome on ChromeOS"],
  ["Mozilla/5.0 Firefox/131.0", "Firefox"],
  ["Dalvik/2.1.0 (Linux; U; Android 14)", "Android"],
  ["curl/8.0", "Unknown device"],
  ["", "Unknown device"],
])("%s is %s", (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device);
});
