import type { ReactNode } from "react";
import { Label, Radio, RadioGroup } from "react-aria-components";
import styles from "./picture-choice.module.css";

type Option<Value> = { value: Value; label: string; hint: string; picture: ReactNode };

type Props<Value> = { label: string; options: Option<Value>[]; value: Value; onChange: (value: Value) => void };

/** A choice by pictures. */
export function PictureChoice<Value extends string>({ label, options, value, onChange }: Props<Value>) {
  const choose = (chosen: string) => {
    const option = options.find((each) => each.value === chosen);
    if (option !== undefined) onChange(option.value);
  };
  return (
    <RadioGroup className="column gap-2" value={value} onChange={choose} orientation="horizontal">
      <Label className="small medium">{label}</Label>
      <div className={styles.options}>
        {options.map((option) => (
          <Radio key={option.value} value={option.value} className={styles.option ?? ""}>
            {option.picture}
            <span className={styles.name}>{option.label}</span>
            <span className={styles.hint}>{option.hint}</span>
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}
