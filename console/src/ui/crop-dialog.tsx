import { type CSSProperties, useEffect, useId, useState } from "react";
import { type PictureUse, pictureSizes } from "../../../contract/pictures.ts";
import { Button } from "./button.tsx";
import { classes } from "./classes.ts";
import styles from "./crop-dialog.module.css";
import { type Crop, firstRegion, type Region, withZoom, zoomOf } from "./crop-geometry.ts";
import { Dialog } from "./dialog.tsx";
import { ProblemNotice } from "./inline-notice.tsx";
import { cutOut, type OpenPicture, openPicture, unreadable } from "./picture-file.ts";
import { Skeleton } from "./skeleton.tsx";
import { useBlobAddress } from "./use-blob-address.ts";
import { useCropGestures } from "./use-crop-gestures.ts";

type Props = {
  file: Blob;
  use: PictureUse;
  isDark: boolean;
  onCropped: (picture: Promise<Blob>) => void;
  onClose: () => void;
};

/** Chooses the part of a picture that is used, in the shape in which it is shown. */
export function CropDialog({ file, use, isDark, onCropped, onClose }: Props) {
  const address = useBlobAddress(file);
  const opened = usePicture(file, address);
  const [chosen, setChosen] = useState<Region>();
  const crop = opened.picture && cropOf(opened.picture, use);
  const region = crop && (chosen ?? firstRegion(crop));
  const finish = () => {
    if (opened.picture === undefined || region === undefined) return;
    onCropped(cutOut(opened.picture, region, use));
    onClose();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Crop the picture"
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" isDisabled={crop === undefined} onPress={finish}>
            Use picture
          </Button>
        </>
      }
    >
      {opened.isUnreadable && <ProblemNotice text={unreadable} />}
      {crop === undefined || region === undefined || address === undefined ? (
        !opened.isUnreadable && <Skeleton height="320px" label="Opening the picture" />
      ) : (
        <CropFrame
          crop={crop}
          region={region}
          address={address}
          isDark={isDark}
          onChange={(change) => setChosen((before) => change(before ?? firstRegion(crop)))}
        />
      )}
    </Dialog>
  );
}

/** A logo is seldom as square as the place where it is shown. */
function cropOf(picture: OpenPicture, use: PictureUse): Crop {
  const { width, height } = pictureSizes[use];
  return { picture, ratio: width / height, whole: use === "logo" };
}

function usePicture(file: Blob, address: string | undefined): { picture?: OpenPicture; isUnreadable?: boolean } {
  const [opened, setOpened] = useState<{ picture?: OpenPicture; isUnreadable?: boolean }>({});
  useEffect(() => {
    if (address === undefined) return;
    let isCurrent = true;
    openPicture(file, address).then(
      (picture) => isCurrent && setOpened({ picture }),
      () => isCurrent && setOpened({ isUnreadable: true }),
    );
    return () => {
      isCurrent = false;
    };
  }, [file, address]);
  return opened;
}

type FrameProps = {
  crop: Crop;
  region: Region;
  address: string;
  isDark: boolean;
  onChange: (change: (region: Region) => Region) => void;
};

function CropFrame({ crop, region, address, isDark, onChange }: FrameProps) {
  const gestures = useCropGestures(crop, onChange);
  const helpId = useId();
  return (
    <>
      <div className={styles.stage}>
        <div
          {...gestures}
          role="application"
          aria-label="Part of the picture that is used"
          aria-describedby={helpId}
          className={classes(styles.frame, isDark && styles.dark)}
          style={{ aspectRatio: crop.ratio, "--ratio": crop.ratio } as CSSProperties}
        >
          <img className={styles.image} src={address} alt="" draggable={false} style={placeOf(crop, region)} />
        </div>
      </div>
      <label className={styles.zoom}>
        Zoom
        <input
          type="range"
          min={0}
          max={1}
          step={0.01}
          value={zoomOf(crop, region)}
          onChange={({ currentTarget: { valueAsNumber: zoom } }) => onChange((before) => withZoom(crop, before, zoom))}
        />
      </label>
      <p id={helpId} className="small muted">
        Drag the picture to move it. On the keyboard, use the arrow keys, + and −.
      </p>
    </>
  );
}

/** The whole picture, placed so that the frame shows the region. */
function placeOf({ picture }: Crop, { x, y, width, height }: Region) {
  const percent = (part: number) => `${part * 100}%`;
  return {
    width: percent(picture.width / width),
    height: percent(picture.height / height),
    left: percent(-x / width),
    top: percent(-y / height),
  };
}
