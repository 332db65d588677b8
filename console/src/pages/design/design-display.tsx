import { ApiError } from "../../api/api-error.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Badge, Status } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { iconPaths } from "../../ui/icon-paths.ts";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { KeyValueList } from "../../ui/key-value.tsx";
import { PosterImage } from "../../ui/poster-image.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { RelativeTime, Time } from "../../ui/time.tsx";
import styles from "./design.module.css";

const failure = new ApiError("The service is starting. Try again in a moment.", {
  status: 503,
  code: "unavailable",
  requestId: "req-01j8",
});

export function DesignDisplay() {
  return (
    <>
      <Section title="States">
        <div className={styles.row}>
          <Status tone="success">Published</Status>
          <Status tone="warning">Pending</Status>
          <Status tone="danger">Declined</Status>
          <Status>Draft</Status>
          <Badge>Owner</Badge>
          <Badge tone="accent">New</Badge>
          <Badge tone="success">3 posted</Badge>
          <Badge tone="warning">12 days left</Badge>
          <Badge tone="danger">Revoked</Badge>
          <Avatar name="Inês Carvalho" />
          <Avatar name="李雷" size={24} />
          <Avatar name="Lumen Labs" size={48} square />
        </div>
      </Section>
      <Section title="Notices">
        <div className={styles.stack}>
          <InlineNotice title="Keys expire">After 90 days at the latest.</InlineNotice>
          <InlineNotice tone="warning" action={<Button size="small">Rotate</Button>}>
            “Posting agent” expires in 12 days.
          </InlineNotice>
          <InlineNotice tone="danger">This key was revoked.</InlineNotice>
          <InlineNotice tone="success">The first request has arrived.</InlineNotice>
        </div>
      </Section>
      <Section title="Values">
        <KeyValueList
          items={[
            {
              name: "When",
              value: <Time at="2026-12-08T09:30:00Z" until="2026-12-08T10:45:00Z" zone="Europe/Lisbon" />,
            },
            { name: "Last changed", value: <RelativeTime at={Date.now() - 3 * 3_600_000} /> },
            { name: "Venue", value: null },
            { name: "Speaker", value: "عبد الرحمن الخطيب" },
          ]}
        />
      </Section>
      <Section title="Code" actions={<CopyButton text="svc_live" what="key" />}>
        <CodeBlock
          label="Request in curl"
          code={'curl -H "Authorization: Bearer $KEY" \\\n  https://events.example.org/api/svc/events'}
        />
      </Section>
      <Section title="Posters and loading">
        <div className={styles.row}>
          <div className={styles.poster}>
            <PosterImage src="/missing.png" alt="Poster of the opening night" width={1080} height={1350} />
          </div>
          <div className={styles.poster}>
            <Skeleton height="250px" label="Loading posters" />
          </div>
        </div>
      </Section>
      <Section title="Empty and failed">
        <div className={styles.grid}>
          <EmptyState icon="key" title="No keys yet" action={<Button kind="primary">Create key</Button>}>
            An agent needs a key to read your events and to report where it posted.
          </EmptyState>
          <ErrorState error={failure} onRetry={() => {}} />
        </div>
      </Section>
      <Section title="Icons">
        <div className={styles.row}>
          {Object.keys(iconPaths).map((name) => (
            <span key={name} className={styles.icon}>
              <Icon name={name as IconName} size={20} />
              {name}
            </span>
          ))}
        </div>
      </Section>
    </>
  );
}
