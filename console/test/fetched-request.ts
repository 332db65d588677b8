/** An XMLHttpRequest on fetch, as far as the console uses one. All of a file counts as sent once its request is made. */
export class FetchedRequest {
  readonly upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  status = 0;
  responseText = "";
  #address = "";
  #method = "";
  #headers: Record<string, string> = {};
  #received = new Headers();
  readonly #abort = new AbortController();

  open(method: string, address: string): void {
    this.#method = method;
    this.#address = address;
  }

  setRequestHeader(name: string, value: string): void {
    this.#headers[name] = value;
  }

  getAllResponseHeaders(): string {
    return [...this.#received].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  }

  abort(): void {
    this.#abort.abort();
    this.onabort?.();
  }

  send(file: Blob): void {
    this.#send(file).catch(() => {
      if (!this.#abort.signal.aborted) this.onerror?.();
    });
  }

  async #send(file: Blob): Promise<void> {
    const { signal } = this.#abort;
    this.upload.onprogress?.({ loaded: file.size, total: file.size });
    const body = await file.arrayBuffer();
    const response = await fetch(this.#address, { method: this.#method, headers: this.#headers, body, signal });
    this.status = response.status;
    this.#received = response.headers;
    this.responseText = await response.text();
    if (!signal.aborted) this.onload?.();
  }
}
