import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

const maximumBytes = 4096;

/** The first line of stdin. */
export async function readPasswordFromStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin) {
    length += (chunk as Buffer).length;
    if (length > maximumBytes) throw new Error("stdin: expected one line with the password");
    chunks.push(chunk as Buffer);
  }
  const [line = ""] = Buffer.concat(chunks).toString("utf8").split(/\r?\n/);
  if (line === "") throw new Error("stdin: expected one line with the password, but it is empty");
  return line;
}

/** Asks twice at the terminal, without showing what is typed. */
export async function promptForPassword(email: string): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new Error("there is no terminal to ask for the password: use --password-stdin and write it to stdin");
  }
  const password = await promptHidden(`New password for ${email}: `);
  if (password !== (await promptHidden("The same again: "))) throw new Error("the two passwords differ");
  return password;
}

async function promptHidden(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const interrupted = new Promise<never>((_, reject) => {
    prompt.once("SIGINT", () => reject(new Error("interrupted: the password was not changed")));
  });
  process.stderr.write(question);
  try {
    return await Promise.race([prompt.question(""), interrupted]);
  } finally {
    prompt.close();
    process.stderr.write("\n");
  }
}
