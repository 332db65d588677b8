import type { ReactNode } from "react";

/** Text of declarations: what is in backticks becomes code. */
export function InlineText({ text }: { text: string }) {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { 0: match, 1: code, index } of text.matchAll(/`([^`]*)`/g)) {
    parts.push(text.slice(end, index), <code key={index}>{code}</code>);
    end = index + match.length;
  }
  return [...parts, text.slice(end)];
}
