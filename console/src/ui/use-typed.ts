import { useState } from "react";
import type { Typed } from "../format/typed-date.ts";

type Options = {
  /** What was understood, or else the text as it was typed. */
  value: string;
  onChange: (value: string) => void;
  typed: Typed;
};

/** A field that is typed in as people write, reports what it understands at once, and shows it when the field is left. */
export function useTyped({ value, onChange, typed: { read, show, help } }: Options) {
  const [text, setText] = useState<string>();
  const isRead = read(value) === value;
  return {
    field: {
      value: text ?? (isRead ? show(value) : value),
      onChange: (typed: string) => {
        setText(typed);
        onChange(read(typed) ?? typed);
      },
      onBlur: () => setText(undefined),
    },
    /** Nothing is said while somebody types. */
    problem: text === undefined && value !== "" && !isRead ? help : undefined,
    /** What is chosen in another way takes the place of the text. */
    choose: (chosen: string) => {
      setText(undefined);
      onChange(chosen);
    },
  };
}
