import { Suspense, useId, useRef, useState } from "react";
import { Button as AriaButton } from "react-aria-components";
import { maximumUrl } from "../../../contract/nouns.ts";
import { type PictureUse, pictureSizes } from "../../../contract/pictures.ts";
import { posterFormats } from "../../../contract/poster-designs.ts";
import { isWebAddress } from "../format/texts.ts";
import { Button } from "./button.tsx";
import { classes } from "./classes.ts";
import fieldStyles from "./field.module.css";
import { Icon } from "./icon.tsx";
import { InlineNotice } from "./inline-notice.tsx";
import { lazyPart } from "./lazy-part.ts";
import link from "./link.module.css";
import { PictureActions } from "./picture-actions.tsx";
import styles from "./picture-editor.module.css";
import type { PictureFieldProps } from "./picture-field.tsx";
import { unreadable, wholePicture } from "./picture-file.ts";
import { TextField } from "./text-field.tsx";
import { useBlobAddress } from "./use-blob-address.ts";
import { useGivenFiles } from "./use-given-files.ts";
import { usePictureUpload } from "./use-picture-upload.ts";

/** Loaded with the first picture that is chosen. */
const CropDialog = lazyPart(() => import("./crop-dialog.tsx"), "CropDialog");

/** Everything about a picture of a form; see PictureField. */
export function PictureEditor({ label, use, value, onChange, error, description, ...options }: PictureFieldProps) {
  const { optional = false, isReadOnly = false, isDark = false, event } = options;
  const labelId = useId();
  const group = useRef<HTMLFieldSetElement>(null);
  const [cropped, setCropped] = useState<File>();
  const [isAddressOpen, setAddressOpen] = useState(false);
  const [broken, setBroken] = useState<string>();
  const { picture, sent, problem, retry, ...upload } = usePictureUpload({ use, event, onUploaded: onChange });
  const take = (file: File) => {
    if (!file.type.startsWith("image/")) upload.refuse(unreadable);
    else if (use === "poster") upload.start(wholePicture(file, use));
    else setCropped(file);
  };
  const isOver = useGivenFiles(group, isReadOnly ? undefined : take);
  const isSending = sent !== undefined;
  const isBroken = value !== "" && broken === value;
  const showsAddress = isAddressOpen || (value !== "" && !isWebAddress(value));
  return (
    <fieldset ref={group} className={fieldStyles.field} aria-labelledby={labelId} {...(isSending ? unfinished : {})}>
      <span id={labelId} className={fieldStyles.label}>
        {label}
        {optional && <span className="faint regular"> (optional)</span>}
      </span>
      <div className={styles.area} data-use={use} data-over={isOver || undefined}>
        <Shown
          use={use}
          isDark={isDark}
          address={isBroken ? "" : value}
          sent={isSending ? picture : undefined}
          onBroken={() => setBroken(value)}
        />
        <div className="column gap-2 fills">
          {!isReadOnly && (
            <PictureActions
              label={label}
              use={use}
              isSending={isSending}
              hasPicture={value !== ""}
              onChosen={take}
              onCancel={upload.cancel}
              onRemove={() => onChange("")}
            />
          )}
          {isSending && <progress className={styles.progress} aria-label={`Uploading: ${label}`} value={sent} />}
          {isBroken && <span className={fieldStyles.description}>This browser cannot show this picture.</span>}
          {description !== undefined && <span className={fieldStyles.description}>{description}</span>}
          {!isReadOnly && !isSending && (
            <span className={fieldStyles.description}>
              <span className={styles.byPointer}>Or drop one here, or paste it. </span>
              <UseAddress label={label} isOpen={showsAddress} onPress={() => setAddressOpen(!showsAddress)} />
            </span>
          )}
        </div>
      </div>
      <Problem text={problem ?? (showsAddress ? undefined : error)} onRetry={retry} />
      {showsAddress && (
        <TextField
          label={`${label}: address`}
          type="url"
          placeholder="https://"
          maxLength={maximumUrl}
          autoFocus={isAddressOpen}
          value={value}
          onChange={onChange}
          error={error}
          isReadOnly={isReadOnly}
        />
      )}
      {cropped !== undefined && (
        <Suspense>
          <CropDialog
            use={use}
            isDark={isDark}
            file={cropped}
            onCropped={upload.start}
            onClose={() => setCropped(undefined)}
          />
        </Suspense>
      )}
    </fieldset>
  );
}

const unfinished = { "data-unfinished": true };

type ShownProps = { use: PictureUse; address: string; isDark: boolean; sent: Blob | undefined; onBroken: () => void };

/** The picture that is being sent, or the present one. */
function Shown({ use, address, isDark, sent, onBroken }: ShownProps) {
  const { width, height } = use === "poster" ? posterFormats.portrait : pictureSizes[use];
  const shown = useBlobAddress(sent) ?? (isWebAddress(address) ? address : undefined);
  return (
    <span className={classes(styles.picture, isDark && styles.dark)} style={{ aspectRatio: width / height }}>
      {shown === undefined ? (
        <Icon name="image" size={24} />
      ) : (
        <img className={styles.image} src={shown} alt="" decoding="async" onError={onBroken} />
      )}
    </span>
  );
}

function UseAddress({ label, isOpen, onPress }: { label: string; isOpen: boolean; onPress: () => void }) {
  return (
    <AriaButton className={classes(link.link, styles.address)} aria-expanded={isOpen} onPress={onPress}>
      Use an address instead<span className="visually-hidden">: {label}</span>
    </AriaButton>
  );
}

function Problem({ text, onRetry }: { text: string | undefined; onRetry: (() => void) | undefined }) {
  if (text === undefined) return null;
  const again = onRetry && (
    <Button size="small" onPress={onRetry}>
      Try again
    </Button>
  );
  return (
    <InlineNotice tone="danger" live action={again}>
      {text}
    </InlineNotice>
  );
}
