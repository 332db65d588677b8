import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ToolResult } from "../../../../../contract/console/tool-results.ts";
import { maximumLine } from "../../../../../contract/nouns.ts";
import { type PosterFormat, type PosterTemplate, posterFormats } from "../../../../../contract/poster-designs.ts";
import { addressOf } from "../../../api/client.ts";
import { eventKey } from "../../../api/query-keys.ts";
import { useOrganization } from "../../../api/session.ts";
import { readTool } from "../../../api/tools.ts";
import { ChangeForm } from "../../../change/change-form.tsx";
import { useDraft } from "../../../drafts/use-draft.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { ErrorState } from "../../../ui/error-state.tsx";
import { InlineNotice } from "../../../ui/inline-notice.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { useEvent } from "../event-page.ts";
import styles from "./draft-dialog.module.css";
import { MissingPictures } from "./missing-pictures.tsx";
import { PictureChoice } from "./picture-choice.tsx";
import { formatNames, templateNames } from "./poster.ts";
import { PreviewPicture } from "./preview-picture.tsx";

type Workspace = ToolResult<"get_event_asset_workspace">;

/** Chooses what a new poster looks like, with pictures of this event, and draws it as a draft. */
export function DraftDialog({ onClose }: { onClose: () => void }) {
  const event = useEvent();
  const organization = useOrganization();
  const { data, error, refetch } = useQuery({
    queryKey: eventKey(organization.id, event.id, "asset-workspace"),
    queryFn: () => readTool(organization.id, "get_event_asset_workspace", { event_id: event.id }),
  });
  if (data !== undefined) return <DraftForm workspace={data} onClose={onClose} />;
  return (
    <Dialog isOpen onClose={onClose} title="Draw a poster" size="large">
      {error === null ? (
        <Skeleton height="320px" label="Loading the designs" />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </Dialog>
  );
}

function DraftForm({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const { templates, formats, material, missing } = workspace;
  const event = useEvent();
  const pictureOf = usePreviewAddress();
  const draft = useDraft({
    form: `new-poster ${event.id}`,
    source: { template: material.template, format: "portrait" as PosterFormat, title: "" },
    read: (first) => first,
  });
  const { template, format } = draft.values;
  const title = draft.values.title.trim();
  const size = formats.find(({ name }) => name === format) ?? posterFormats.portrait;
  return (
    <ChangeForm
      size="large"
      title="Draw a poster"
      description="The poster becomes a draft: nobody else sees it before you publish it."
      label="New poster"
      wide
      submitLabel="Draw poster"
      draft={draft}
      onClose={onClose}
      change={() => ({
        tool: "generate_event_poster_draft",
        args: { event_id: event.id, template, format, ...(title === "" ? {} : { title }) },
        title: "Draw this poster",
        reason: `Drew a poster (${(templateNames[template] ?? template).toLowerCase()}, ${format}) for ${event.name}`,
        confirmLabel: "Save as draft",
        describe: (preview) => (
          <div className="column gap-3">
            <div className={styles.resultPicture} data-wide={size.width > size.height || undefined}>
              <PreviewPicture src={pictureOf({ template, format, title, size: "full" })} {...size} />
            </div>
            <MissingPictures {...(preview as { missing?: string[] })} />
          </div>
        ),
        done: "Poster saved as a draft",
      })}
    >
      <PictureChoice
        label="Design"
        {...draft.bind("template")}
        options={templates.map(({ name, use }) => ({
          value: name,
          label: templateNames[name] ?? name,
          hint: use,
          picture: (
            <PreviewPicture src={pictureOf({ template: name, format: "portrait" })} {...posterFormats.portrait} />
          ),
        }))}
      />
      <PictureChoice
        label="Format"
        {...draft.bind("format")}
        options={formats.map(({ name, width, height, use }) => ({
          value: name,
          label: formatNames[name] ?? name,
          hint: `${use}. ${width} × ${height}`,
          picture: (
            <span className={styles.ratio}>
              <span style={{ aspectRatio: `${width} / ${height}` }} data-wide={width > height || undefined} />
            </span>
          ),
        }))}
      />
      <TextField
        label="Title on the poster"
        optional
        maxLength={maximumLine}
        {...draft.bind("title")}
        placeholder={material.title}
        description="The event’s name unless you write something else, such as a speaker’s name."
      />
      <Brand organization={material.organization} isMine={event.my_role === "host"} />
      {missing.length > 0 && (
        <InlineNotice title="What would make it better">
          <ul className={styles.missing}>
            {missing.map((gap) => (
              <li key={gap}>{withoutTool(gap)}</li>
            ))}
          </ul>
        </InlineNotice>
      )}
    </ChangeForm>
  );
}

/** The service names the tool for agents; people find the page by themselves. */
const withoutTool = (gap: string): string =>
  gap.replace(/ \([a-z_]+(: [a-z_]+)?\)$/, "").replace(/, or those in speaker_ids$/, "");

function Brand({ organization, isMine }: { organization: Workspace["material"]["organization"]; isMine: boolean }) {
  const { name, primary_color, secondary_color } = organization;
  const colors = [primary_color, secondary_color].filter((color) => color !== null);
  return (
    <p className={styles.brand}>
      <span className={styles.swatches} aria-hidden="true">
        {colors.map((color) => (
          <span key={color} className={styles.swatch} style={{ background: color }} />
        ))}
      </span>
      {colors.length === 0
        ? `${name} has no brand colours: the poster uses neutral ones.`
        : `In the colours of ${name}: ${colors.join(" and ")}.`}{" "}
      {!isMine && "Posters always carry the brand of the host."}
    </p>
  );
}

type Choice = { template: PosterTemplate; format: PosterFormat; title?: string; size?: "full" };

function usePreviewAddress() {
  const { id: organization } = useOrganization();
  const { id } = useEvent();
  // A browser keeps pictures while a page is open: speakers may have changed since the dialog was last open.
  const [opened] = useState(() => String(Date.now()));
  return (choice: Choice) => addressOf("posterPreview", { organization, event: id, query: { ...choice, opened } });
}
