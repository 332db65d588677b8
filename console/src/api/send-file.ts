/** How much of a file was sent, between 0 and 1. */
export type Progress = (sent: number) => void;

type Options = { method: string; signal: AbortSignal; onProgress: Progress };

/** Sends a file as the body of a request, like `fetch`, which does not tell how much was sent. */
export function sendFile(address: string, file: Blob, { method, signal, onProgress }: Options): Promise<Response> {
  const request = new XMLHttpRequest();
  const abort = () => request.abort();
  const response = new Promise<Response>((resolve, reject) => {
    signal.throwIfAborted();
    request.open(method, address);
    request.setRequestHeader("accept", "application/json");
    request.setRequestHeader("content-type", file.type);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onload = () => resolve(responseOf(request));
    request.onerror = () => reject(new TypeError("The request failed"));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener("abort", abort);
    request.send(file);
  });
  return response.finally(() => signal.removeEventListener("abort", abort));
}

function responseOf(request: XMLHttpRequest): Response {
  const { status, responseText } = request;
  const lines = request.getAllResponseHeaders().split("\r\n").filter(Boolean);
  const headers = lines.map((line): [string, string] => {
    const [name = "", ...value] = line.split(": ");
    return [name, value.join(": ")];
  });
  return new Response(responseText, { status, headers });
}
