const mutedName = "door-muted";

export const isMuted = (): boolean => localStorage.getItem(mutedName) === "yes";

export const setMuted = (muted: boolean): void => localStorage.setItem(mutedName, muted ? "yes" : "no");

export type Signal = "welcome" | "duplicate" | "refused";

/** Told apart without looking: one high tone, two middle ones, one long low one; and by the rhythm of the vibration. */
const signals: Record<Signal, { tones: [hertz: number, seconds: number][]; vibration: number[] }> = {
  welcome: { tones: [[1046, 0.14]], vibration: [60] },
  duplicate: {
    tones: [
      [587, 0.16],
      [587, 0.16],
    ],
    vibration: [120, 80, 120],
  },
  refused: { tones: [[196, 0.5]], vibration: [400] },
};

let audio: AudioContext | undefined;

export function signal(kind: Signal): void {
  if (isMuted()) return;
  const { tones, vibration } = signals[kind];
  if ("vibrate" in navigator) navigator.vibrate(vibration);
  try {
    audio ??= new AudioContext();
    void audio.resume();
    let start = audio.currentTime;
    for (const [hertz, seconds] of tones) {
      play(audio, hertz, start, seconds);
      start += seconds + 0.08;
    }
  } catch {
    // No sound on this device: the screen says the same.
  }
}

function play(context: AudioContext, hertz: number, start: number, seconds: number): void {
  const tone = new OscillatorNode(context, { type: "triangle", frequency: hertz });
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(0.4, start + 0.01);
  volume.gain.linearRampToValueAtTime(0, start + seconds);
  tone.connect(volume).connect(context.destination);
  tone.start(start);
  tone.stop(start + seconds);
}
