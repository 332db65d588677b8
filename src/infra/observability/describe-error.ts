import { sqlState } from "../database/database-errors.js";
import { withoutSecrets } from "../secrets.js";

const emailPattern = /[^\s@"'<>()]{1,64}@[^\s@"'<>()]{1,255}/g;
const maximumLength = 4_000;

/**
 * An error as a log line shows it: only fields that are known to contain no input. PostgreSQL puts values into `detail`
 * and `where`, and quotes them in the messages of class 22; JSON.parse quotes the text that it could not read.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: withoutInput(String(error), error) };
  const { code, constraint, table, routine } = error as Error & Record<string, unknown>;
  return {
    type: error.name,
    message: withoutInput(error.message, error),
    ...texts({ code, constraint, table, routine }),
    // Only the frames: the first lines of a stack repeat the message.
    stack: (error.stack ?? "").match(/^ {4}at .*/gm)?.join("\n"),
    ...(error.cause instanceof Error ? { cause: withoutInput(error.cause.message, error.cause) } : {}),
  };
}

function withoutInput(message: string, error: unknown): string {
  const quotesInput = error instanceof SyntaxError || sqlState(error)?.startsWith("22") === true;
  const text = withoutSecrets(message.slice(0, maximumLength)).replace(emailPattern, "[redacted]");
  return quotesInput ? text.replace(/(["'`]).*\1/gs, "$1…$1") : text;
}

function texts(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
