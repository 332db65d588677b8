import { longestReason } from "../change/reason.ts";
import { wordsOf } from "../format/differences.ts";
import type { CardState, Notice } from "./card-state.ts";
import { differenceRows, row } from "./difference-elements.ts";
import { element, foreign, icon } from "./elements.ts";
import type { About, Preview } from "./tool-result.ts";

/** What the card needs besides its state. */
export type ViewContext = {
  toolName: string | undefined;
  reason: string;
  reasonProblem: string | undefined;
  /** Why the change cannot be confirmed here; undefined if it can. */
  obstacle: string | undefined;
  onReason(reason: string): void;
  onConfirm(): void;
  onPreview(): void;
};

export function cardElements(state: CardState, context: ViewContext): HTMLElement[] {
  switch (state.step) {
    case "waiting":
      return [element("p", { class: "waiting" }, "Working out what changes…")];
    case "stopped":
      return [
        heading({}, context, undefined),
        noticeElement(state.notice),
        ...(state.canPreviewAgain && context.obstacle === undefined ? [previewAgain(context)] : []),
      ];
    case "done":
      return doneElements(state, context);
    default:
      return previewElements(state, context);
  }
}

function previewElements(state: CardState & { preview: Preview }, context: ViewContext): HTMLElement[] {
  const { preview } = state;
  const notice = state.step === "ready" ? state.notice : undefined;
  return [
    heading(preview.about, context, { class: "badge", text: "Preview" }),
    ...(notice === undefined ? [] : [noticeElement(notice)]),
    ...(preview.changesNothing
      ? [noticeElement({ tone: "info", title: "Nothing to change", text: "This is how it is already." })]
      : [...warningElements(preview.warnings), ...contentElements(preview), ...confirmElements(state, context)]),
  ];
}

function doneElements({ committed, preview }: CardState & { step: "done" }, context: ViewContext): HTMLElement[] {
  const { recordId, warnings, notes, state } = committed;
  const facts = state.map(({ name, value }) => row(name, foreign(value)));
  return [
    heading(preview?.about ?? committed.about, context, { class: "badge done", text: "Done" }),
    noticeElement(
      recordId === undefined
        ? { tone: "info", title: "Nothing was changed", text: "This is how it was already." }
        : { tone: "success", title: "The change was made" },
    ),
    ...warningElements(warnings),
    ...(preview === undefined
      ? [...noteElements(notes), ...(facts.length === 0 ? [] : [element("dl", {}, ...facts)])]
      : contentElements(preview)),
    ...(recordId === undefined ? [] : [element("p", { class: "record" }, "Record ", element("code", {}, recordId))]),
  ];
}

function heading(
  about: About,
  { toolName }: ViewContext,
  badge: { class: string; text: string } | undefined,
): HTMLElement {
  const title = about.title ?? wordsOf(about.tool ?? toolName ?? "preview_of_a_change");
  return element(
    "header",
    {},
    element("h1", { id: "title", attributes: { tabindex: "-1" } }, title),
    badge !== undefined && element("span", { class: badge.class }, badge.text),
    about.event !== undefined && element("p", { class: "event" }, foreign(about.event)),
  );
}

function noticeElement({ tone, title, text }: Notice): HTMLElement {
  const name = { info: "info", success: "check", warning: "warning", danger: "warning" } as const;
  return element(
    "div",
    { class: `notice ${tone}` },
    icon(name[tone]) as HTMLElement,
    element(
      "div",
      {},
      element("strong", {}, title),
      text !== undefined && element("p", { attributes: { dir: "auto" } }, text),
    ),
  );
}

function warningElements(warnings: string[]): HTMLElement[] {
  if (warnings.length === 0) return [];
  const items = warnings.map((warning) => element("li", { attributes: { dir: "auto" } }, warning));
  return [
    element(
      "section",
      { class: "notice warning", attributes: { "aria-label": "Warnings" } },
      icon("warning") as HTMLElement,
      element("ul", {}, ...items),
    ),
  ];
}

function contentElements(preview: Preview): HTMLElement[] {
  const { images, subjects, differences, differenceCount, verdicts, notes } = preview;
  const more = differenceCount - differences.length;
  const rows = [...subjects.map(({ label, name }) => row(label, foreign(name))), ...differenceRows(differences)];
  return [
    ...(images.length === 0 ? [] : [imageElements(images)]),
    ...noteElements(notes),
    ...(rows.length === 0 ? [] : [element("dl", {}, ...rows)]),
    ...(more > 0 ? [element("p", { class: "muted" }, `and ${more} more differences`)] : []),
    ...(verdicts.length === 0 ? [] : [verdictElements(verdicts)]),
  ];
}

function imageElements(images: Preview["images"]): HTMLElement {
  const figures = images.map(({ url, alt }) => element("img", { attributes: { src: url, alt } }));
  return element("div", { class: "images" }, ...figures);
}

/** More than a person reads at a glance; the rest is one press away. */
const verdictsAtOnce = 10;

function verdictElements(verdicts: string[]): HTMLElement {
  const items = verdicts.map((verdict) => element("li", { attributes: { dir: "auto" } }, verdict));
  const [first, rest] = [items.slice(0, verdictsAtOnce), items.slice(verdictsAtOnce)];
  return element(
    "div",
    { class: "verdicts" },
    element("ul", {}, ...first),
    rest.length > 0 &&
      element("details", {}, element("summary", {}, `${rest.length} more`), element("ul", {}, ...rest)),
  );
}

const noteElements = (notes: string[]): HTMLElement[] =>
  notes.map((note) => element("p", { class: "note", attributes: { dir: "auto" } }, note));

function confirmElements(state: CardState, context: ViewContext): HTMLElement[] {
  const { obstacle, reason, reasonProblem, onConfirm } = context;
  if (obstacle !== undefined) return [noticeElement({ tone: "info", title: "Not confirmed yet", text: obstacle })];
  const isCommitting = state.step === "committing";
  const isLocked = isCommitting || (state.step === "ready" && state.isUnknown === true);
  const field = element("textarea", {
    id: "reason",
    attributes: {
      rows: "2",
      maxlength: String(longestReason),
      required: "",
      dir: "auto",
      "aria-describedby": "reason-help",
      ...(reasonProblem === undefined ? {} : { "aria-invalid": "true" }),
      ...(isLocked ? { readonly: "" } : {}),
    },
  });
  field.value = reason;
  field.addEventListener("input", () => context.onReason(field.value));
  const confirm = element(
    "button",
    {
      id: "confirm",
      class: "primary",
      attributes: { type: "button", "aria-disabled": String(isCommitting) },
      onClick: onConfirm,
    },
    isCommitting ? "Confirming…" : state.step === "ready" && state.isUnknown ? "Confirm again" : "Confirm",
  );
  return [
    element(
      "div",
      { class: "confirm" },
      element("label", { attributes: { for: "reason" } }, "Reason"),
      field,
      element(
        "p",
        { id: "reason-help", class: reasonProblem === undefined ? "muted" : "problem" },
        reasonProblem ?? "Recorded with the change, for everyone who looks at it later.",
      ),
      element(
        "div",
        { class: "actions" },
        confirm,
        element("span", { class: "muted" }, "Nothing is changed until then."),
      ),
    ),
  ];
}

const previewAgain = ({ onPreview }: ViewContext): HTMLElement =>
  element(
    "div",
    { class: "actions" },
    element("button", { id: "again", attributes: { type: "button" }, onClick: onPreview }, "Preview again"),
  );
