import { overview } from "./t01-overview.js";
import { moveKeynote } from "./t02-move-keynote.js";
import { firstSpeaker } from "./t03-first-speaker.js";
import { decideAboutGuests } from "./t04-decide-about-guests.js";
import { posterVariants } from "./t05-poster-variants.js";
import { checkIn } from "./t06-check-in.js";
import { handOver } from "./t07-hand-over.js";
import { undoBranding } from "./t08-undo-branding.js";
import { runOfShow } from "./t09-run-of-show.js";
import { misuse } from "./t10-misuse.js";
import type { Task } from "./task.js";

export const tasks: Task[] = [
  ...[overview, moveKeynote, firstSpeaker, decideAboutGuests, posterVariants],
  ...[checkIn, handOver, undoBranding, runOfShow, misuse],
];
