type Listener = (event: { data: string }) => void;

/** An EventSource on fetch, as far as the console uses one. It does not reconnect by itself. */
export class StreamedEventSource {
  static readonly CLOSED = 2;
  readyState = 0;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  readonly #listeners = new Map<string, Listener>();
  readonly #abort = new AbortController();

  constructor(url: string) {
    void this.#read(url).catch(() => {
      this.readyState = StreamedEventSource.CLOSED;
      if (!this.#abort.signal.aborted) this.onerror?.();
    });
  }

  addEventListener(name: string, listener: Listener): void {
    this.#listeners.set(name, listener);
  }

  close(): void {
    this.#abort.abort();
  }

  async #read(url: string): Promise<void> {
    const response = await fetch(url, { headers: { accept: "text/event-stream" }, signal: this.#abort.signal });
    if (!response.ok || response.body === null) throw new Error(`status ${response.status}`);
    this.readyState = 1;
    this.onopen?.();
    let text = "";
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const events = (text + chunk).split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) this.#emit(event);
    }
    throw new Error("the stream has ended");
  }

  #emit(event: string): void {
    const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, "m").exec(event)?.[1];
    const data = field("data");
    if (data !== undefined) this.#listeners.get(field("event") ?? "message")?.({ data });
  }
}
