import type { ReactNode } from "react";
import { Label, Radio, RadioGroup } from "react-aria-components";
import styles from "./picture-choice.module.css";

type Option = { value: string; label: string; hint: string; picture: ReactNode };

type Props = { label: string; options: Option[]; value: string; onChange: (value: string) => void };

/** A choice by pictures. */
export function PictureChoice({ label, options, value, onChange }: Props) {
  return (
    <RadioGroup className={styles.group ?? ""} value={value} onChange={onChange} orientation="horizontal">
      <Label className={styles.label ?? ""}>{label}</Label>
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
