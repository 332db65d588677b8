import scanWorkerUrl from "./scan-worker.ts?worker&url";

export { scanWorkerUrl };

export type FrameReader = { read: (video: HTMLVideoElement) => Promise<string | null>; close: () => void };

type Detector = { detect: (source: HTMLVideoElement) => Promise<{ rawValue: string }[]> };
type DetectorClass = { new (options: { formats: string[] }): Detector; getSupportedFormats: () => Promise<string[]> };

/** The browser's own reader where it has one, otherwise ours in a worker. */
export async function createReader(): Promise<FrameReader> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass };
  const formats = (await BarcodeDetector?.getSupportedFormats().catch(() => [])) ?? [];
  if (BarcodeDetector === undefined || !formats.includes("qr_code")) return workerReader();
  const detector = new BarcodeDetector({ formats: ["qr_code"] });
  return {
    read: async (video) => (await detector.detect(video).catch(() => []))[0]?.rawValue ?? null,
    close: () => {},
  };
}

/** Larger frames take longer and show no more of a code that fills the frame. */
const frameSize = 480;

function workerReader(): FrameReader {
  const worker = new Worker(scanWorkerUrl, { type: "module" });
  const canvas = new OffscreenCanvas(frameSize, frameSize);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  return {
    read(video) {
      const { videoWidth: width, videoHeight: height } = video;
      if (context === null || width === 0) return Promise.resolve(null);
      const side = Math.min(width, height);
      context.drawImage(video, (width - side) / 2, (height - side) / 2, side, side, 0, 0, frameSize, frameSize);
      const { data } = context.getImageData(0, 0, frameSize, frameSize);
      return new Promise((resolve) => {
        worker.onmessage = ({ data: text }: MessageEvent<string | null>) => resolve(text);
        worker.onerror = () => resolve(null);
        worker.postMessage({ width: frameSize, height: frameSize, data }, [data.buffer]);
      });
    },
    close: () => worker.terminate(),
  };
}
