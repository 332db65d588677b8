import { CodeBlock } from "../../ui/code-block.tsx";
import { highlight } from "./highlight.tsx";

type Props = { code: string; language: string /** What it is: "Request". */; label: string; tall?: boolean };

/** Code with colours. */
export function Code({ code, language, label, tall = false }: Props) {
  return (
    <CodeBlock code={code} label={label} what={label.toLowerCase()} short={!tall}>
      {highlight(code, language)}
    </CodeBlock>
  );
}
