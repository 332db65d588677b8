import type { ChildProcess } from "node:child_process";

/** The next message of a child process; fails if it exits instead. */
export function replyOf<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: unknown) => {
      child.off("exit", onExit);
      resolve(message as Message);
    };
    const onExit = (code: number | null) => {
      child.off("message", onMessage);
      reject(new Error(`${child.spawnargs[1]} exited with ${code}`));
    };
    child.once("message", onMessage);
    child.once("exit", onExit);
  });
}
