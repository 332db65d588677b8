import { type ChangeEvent, type ReactNode, useRef } from "react";
import type { PictureUse } from "../../../contract/pictures.ts";
import { Button, type ButtonProps } from "./button.tsx";
import styles from "./picture-editor.module.css";
import { chosenTypes } from "./picture-file.ts";

type Props = {
  /** Of the field: a page can have several. */
  label: string;
  use: PictureUse;
  hasPicture: boolean;
  isSending: boolean;
  onChosen: (file: File) => void;
  onCancel: () => void;
  onRemove: () => void;
};

/** What people take pictures of with a phone while they fill in a form. */
const photographed: PictureUse[] = ["photo", "tile"];

export function PictureActions({ label, use, hasPicture, isSending, ...on }: Props) {
  const ofField = <span className="visually-hidden">: {label}</span>;
  return (
    <div className="flex wrap gap-2">
      <FileButton size="small" icon="image" isPending={isSending} onChosen={on.onChosen}>
        {hasPicture ? "Replace picture" : "Choose a picture"}
        {ofField}
      </FileButton>
      {isSending && (
        <Button size="small" kind="quiet" onPress={on.onCancel}>
          Cancel upload{ofField}
        </Button>
      )}
      {!isSending && photographed.includes(use) && (
        <span className={styles.camera}>
          <FileButton size="small" icon="camera" onChosen={on.onChosen} capture>
            Take a photo{ofField}
          </FileButton>
        </span>
      )}
      {!isSending && hasPicture && (
        <Button size="small" kind="quiet" onPress={on.onRemove}>
          Remove{ofField}
        </Button>
      )}
    </div>
  );
}

type FileButtonProps = ButtonProps & { children: ReactNode; onChosen: (file: File) => void; capture?: boolean };

/** Lets people choose a file; with `capture`, a phone opens its camera. */
function FileButton({ onChosen, capture = false, ...button }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? [];
    // The same file can be chosen again.
    currentTarget.value = "";
    if (file !== undefined) onChosen(file);
  };
  return (
    <>
      <Button {...button} onPress={() => input.current?.click()} />
      <input ref={input} type="file" hidden accept={chosenTypes} onChange={choose} capture={capture && "environment"} />
    </>
  );
}
