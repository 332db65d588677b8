export type HeldCommits = {
  /** The bodies of what the page has sent since to tools that change something. */
  sent: string[];
  release(): void;
};

/** Commits of the page are carried out once they are released. */
export function holdCommits(): HeldCommits {
  const connected = globalThis.fetch;
  const sent: string[] = [];
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  globalThis.fetch = async (input, init) => {
    const body = String(init?.body);
    if (/\/tools\/(?!list_|get_)/.test(String(input))) sent.push(body);
    if (body.includes('"dry_run":false')) await isReleased;
    return connected(input, init);
  };
  return { sent, release };
}
