import type { ReactNode } from "react";
import styles from "./highlight.module.css";

type Rule = { kind: keyof typeof styles & string; pattern: RegExp };

const string = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/;
const number = /\b\d+(?:\.\d+)?\b/;

/** The first rule that matches at a place decides. Enough to read an example by, not a parser. */
const languages: Record<string, Rule[]> = {
  json: [
    { kind: "name", pattern: /"(?:[^"\\\n]|\\.)*"(?=\s*:)/ },
    { kind: "string", pattern: string },
    { kind: "number", pattern: number },
    { kind: "keyword", pattern: /\b(?:true|false|null)\b/ },
  ],
  sh: [
    { kind: "comment", pattern: /(?<=^|\s)#.*/ },
    { kind: "string", pattern: string },
    { kind: "keyword", pattern: /(?<=^|\n)\s*(?:curl|export|svc|npm|claude|docker|systemctl)\b/ },
    { kind: "name", pattern: /(?<=\s)--?[A-Za-z][\w-]*/ },
    { kind: "number", pattern: /\$\{?\w+\}?/ },
  ],
  ts: [
    { kind: "comment", pattern: /\/\/.*/ },
    { kind: "string", pattern: /"(?:[^"\\\n]|\\.)*"|`[^`]*`/ },
    { kind: "keyword", pattern: /\b(?:import|from|const|await|new|export|async|function|return)\b/ },
    { kind: "number", pattern: number },
  ],
  python: [
    { kind: "comment", pattern: /#.*/ },
    { kind: "string", pattern: string },
    { kind: "keyword", pattern: /\b(?:import|from|async|await|def|with|as|return|print)\b/ },
    { kind: "number", pattern: number },
  ],
};
const aliases: Record<string, string> = { bash: "sh", shell: "sh", typescript: "ts" };

/** Above this, colours cost more than they help. */
const maximumLength = 40_000;

export function highlight(code: string, language: string): ReactNode {
  const rules = languages[aliases[language] ?? language];
  if (rules === undefined || code.length > maximumLength) return code;
  const pattern = new RegExp(rules.map(({ pattern: { source } }) => `(${source})`).join("|"), "g");
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of code.matchAll(pattern)) {
    const rule = rules[match.slice(1).findIndex((group) => group !== undefined)];
    if (match.index > end) parts.push(code.slice(end, match.index));
    end = match.index + match[0].length;
    parts.push(
      <span key={match.index} className={styles[rule?.kind ?? "name"]}>
        {match[0]}
      </span>,
    );
  }
  parts.push(code.slice(end));
  return parts;
}
