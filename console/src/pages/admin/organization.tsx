import { useState } from "react";
import type { OrganizationDetails } from "../../../../contract/console/admin.ts";
import { countOf } from "../../format/counts.ts";
import { roleLabel } from "../../format/roles.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Email } from "../../ui/email.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { KeyValueList } from "../../ui/key-value.tsx";
import { ExternalLink, Link } from "../../ui/link.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Section } from "../../ui/section.tsx";
import { Time } from "../../ui/time.tsx";
import { CardTable } from "./card-table.tsx";
import { detailPage } from "./detail-page.tsx";
import { EditButton } from "./edit-button.tsx";
import { Invitations } from "./invitations.tsx";
import { lazyForm } from "./lazy-form.tsx";
import styles from "./row-list.module.css";

const InviteDialog = lazyForm(async () => (await import("./invite-dialog.tsx")).InviteDialog);

export const OrganizationPage = detailPage("organizations", "Organization", Loaded);

function Loaded({ row: organization }: { row: OrganizationDetails }) {
  const [inviting, setInviting] = useState(false);
  const { website_url: website, contact_email, people } = organization;
  return (
    <>
      <PageHeader
        eyebrow={<Link to="/admin/organizations">Organizations</Link>}
        title={organization.name}
        actions={
          <>
            <EditButton list="organizations" id={organization.id} name={organization.name} />
            <Button kind="primary" icon="mail" onPress={() => setInviting(true)}>
              Invite person
            </Button>
          </>
        }
      />
      {organization.owners === 0 && (
        <InlineNotice tone="warning" title="There is no owner">
          Only owners create API keys and let people in. Invite one.
        </InlineNotice>
      )}
      <KeyValueList
        items={[
          { name: "Slug", value: <code>{organization.slug}</code> },
          { name: "Website", value: website === null ? null : <ExternalLink href={website}>{website}</ExternalLink> },
          { name: "E-mail", value: contact_email },
          {
            name: "Visible events",
            value: (
              <Link to="/admin/events" search={{ organization: organization.id }}>
                {countOf(organization.events, "event")}
              </Link>
            ),
          },
          { name: "Working keys", value: countOf(organization.keys, "key") },
          { name: "Since", value: <Time at={organization.created_at} zone="UTC" show="day" /> },
          {
            name: "History",
            value: (
              <Link to="/admin/records" search={{ organization: organization.id }}>
                Show records
              </Link>
            ),
          },
        ]}
      />
      <Section title="Members">
        {people.length === 0 ? <p>Nobody is a member yet.</p> : <Members people={people} />}
      </Section>
      <Section title="Open invitations">
        <Invitations organization={organization.id} />
      </Section>
      {inviting && <InviteDialog organization={organization} onClose={() => setInviting(false)} />}
    </>
  );
}

function Members({ people }: Pick<OrganizationDetails, "people">) {
  return (
    <CardTable
      caption="Members, owners first"
      rows={people}
      rowKey={({ id }) => id}
      columns={[
        {
          title: "Person",
          cell: ({ name, email }) => (
            <>
              <Link quiet to="/admin/people" search={{ q: email }}>
                {name}
              </Link>
              <span className={styles.second}>
                <Email address={email} />
              </span>
            </>
          ),
        },
        { title: "Role", cell: ({ role }) => <Badge>{roleLabel(role)}</Badge> },
      ]}
    />
  );
}
