import { useEffect, useState } from "react";
import { Button } from "./button.tsx";
import { IconButton } from "./icon-button.tsx";
import { showToast } from "./toast-queue.ts";

type Props = { text: string /** What is copied: "link", "key". */; what: string; compact?: boolean };

export function CopyButton({ text, what, compact = false }: Props) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      showToast(`The browser did not allow copying the ${what}. Select it and copy it by hand.`, { tone: "danger" });
    }
  };
  const label = copied ? "Copied" : `Copy ${what}`;
  return (
    <>
      {compact ? (
        <IconButton icon={copied ? "check" : "copy"} label={label} size="small" onPress={() => void copy()} />
      ) : (
        <Button size="small" icon={copied ? "check" : "copy"} onPress={() => void copy()}>
          {label}
        </Button>
      )}
      <span role="status" className="visually-hidden">
        {copied ? "Copied" : ""}
      </span>
    </>
  );
}
