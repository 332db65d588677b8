import { useEffect, useRef, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { createReader } from "./frame-reader.ts";
import styles from "./scanner.module.css";

type Props = {
  /** False while a verdict is shown: the same code is still in front of the camera. */
  isActive: boolean;
  onCode: (text: string) => void;
  onClose: () => void;
};

const frameMs = 120;
/** The same code again so soon is the same guest still holding it up. */
const repeatMs = 4000;

export function Scanner({ isActive, onCode, onClose }: Props) {
  const video = useRef<HTMLVideoElement>(null);
  const [problem, setProblem] = useState<string>();
  const handle = useRef({ isActive, onCode });
  handle.current = { isActive, onCode };

  useEffect(() => {
    const stop = new AbortController();
    const last = { text: "", at: 0 };
    const found = (text: string) => {
      if (!handle.current.isActive) {
        last.at = Date.now();
        return;
      }
      if (text === last.text && Date.now() - last.at < repeatMs) return;
      Object.assign(last, { text, at: Date.now() });
      handle.current.onCode(text);
    };
    void watch(video.current, found, stop.signal).catch((error: unknown) => {
      if (!stop.signal.aborted) setProblem(problemOf(error));
    });
    return () => stop.abort();
  }, []);
  return (
    <section className={styles.scanner} aria-label="Camera">
      {problem === undefined ? (
        <>
          <video ref={video} className={styles.video} muted playsInline autoPlay />
          <span className={styles.frame} aria-hidden="true" />
          <p className={styles.hint}>Hold the guest code into the frame</p>
        </>
      ) : (
        <div className={styles.problem} role="alert">
          <Icon name="camera" size={24} />
          <p>{problem}</p>
        </div>
      )}
      <div className={styles.close}>
        <Button icon="close" onPress={onClose}>
          Close camera
        </Button>
      </div>
    </section>
  );
}

async function watch(video: HTMLVideoElement | null, found: (text: string) => void, signal: AbortSignal) {
  if (video === null) return;
  if (navigator.mediaDevices === undefined) throw new DOMException("", "NotSupportedError");
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: "environment", width: { ideal: 1280 } },
    audio: false,
  });
  const end = () => {
    for (const track of stream.getTracks()) track.stop();
  };
  if (signal.aborted) return end();
  signal.addEventListener("abort", end);
  video.srcObject = stream;
  await video.play();
  const reader = await createReader();
  signal.addEventListener("abort", reader.close);
  while (!signal.aborted) {
    const text = await reader.read(video);
    if (signal.aborted) return;
    if (text !== null && text !== "") found(text);
    await new Promise((resolve) => setTimeout(resolve, frameMs));
  }
}

function problemOf(error: unknown): string {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError")
    return "The browser does not allow the camera. Allow it in the settings of this site, or search by name.";
  if (name === "NotFoundError") return "This device has no camera. Search by name.";
  if (name === "NotSupportedError") return "The camera works only over https. Search by name.";
  return "The camera could not be started. Close other applications that use it, or search by name.";
}
