import { useState } from "react";
import type { PersonRow } from "../../../../contract/console/admin.ts";
import { usePerson } from "../../api/session.ts";
import { useChange } from "../../change/use-change.tsx";
import { countOf, formatCount } from "../../format/counts.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { useFilters } from "../../shell/use-filters.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Email } from "../../ui/email.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { FilterBar, shownCount } from "../../ui/filter-bar.tsx";
import { Link } from "../../ui/link.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { Section } from "../../ui/section.tsx";
import { Select } from "../../ui/select.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { UnverifiedAddress } from "../../ui/unverified-address.tsx";
import { useTypedFilter } from "../../ui/use-typed-filter.ts";
import { useRows } from "./admin-api.ts";
import type { CardColumn } from "./card-table.tsx";
import { Invitations } from "./invitations.tsx";
import { lazyForm } from "./lazy-form.tsx";
import styles from "./row-list.module.css";
import { RowList } from "./row-list.tsx";

const InviteDialog = lazyForm(async () => (await import("./invite-dialog.tsx")).InviteDialog);

const ResetLinkDialog = lazyForm(async () => (await import("../members/reset-link-dialog.tsx")).ResetLinkDialog);

const who = [
  { value: "", label: "Everyone" },
  { value: "true", label: "Administrators" },
];

export function PeoplePage() {
  usePageTitle("People");
  const { filters, set, clear } = useFilters(["q", "platform_admin"]);
  const typed = useTypedFilter(filters.q, (q) => set({ q }));
  const [inviting, setInviting] = useState(false);
  const list = useRows("people", filters);
  return (
    <>
      <PageHeader
        title="People"
        description="Everyone who can sign in. Members are invited on the page of their organization."
        actions={
          <Button kind="primary" icon="shield" onPress={() => setInviting(true)}>
            Invite administrator
          </Button>
        }
      />
      <FilterBar onClear={clear} count={shownCount(list, "person", "people")}>
        <SearchField label="Search name or e-mail" {...typed} />
        <Select
          label="Who"
          hideLabel
          options={who}
          value={filters.platform_admin ?? ""}
          onChange={(platform_admin) => set({ platform_admin })}
        />
      </FilterBar>
      <RowList
        list={list}
        caption="People by e-mail address"
        columns={columns}
        empty={<EmptyState icon="search" title="Nobody matches" />}
      />
      <Section title="Invited administrators">
        <Invitations />
      </Section>
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
    </>
  );
}

const columns: CardColumn<PersonRow>[] = [
  {
    title: "Person",
    width: "70%",
    cell: ({ name, email, platform_admin, unverified }) => (
      <>
        {name} {platform_admin && <Badge tone="accent">Administrator</Badge>} {unverified && <UnverifiedAddress />}
        <span className={styles.second}>
          <Email address={email} />
        </span>
      </>
    ),
  },
  { title: "Organizations", cell: ({ organizations }) => <Memberships organizations={organizations} /> },
  {
    title: "Last seen",
    isShort: true,
    cell: ({ last_seen_at: at }) =>
      at === null ? <span className={styles.second}>Not known</span> : <RelativeTime at={at} />,
  },
  { title: "Keys", align: "end", cell: ({ keys }) => formatCount(keys) },
  { title: "Actions", isActions: true, cell: (person) => <PersonMenu person={person} /> },
];

const shownMemberships = 3;

function Memberships({ organizations }: Pick<PersonRow, "organizations">) {
  if (organizations.length === 0) return <span className={styles.second}>None</span>;
  const more = organizations.length - shownMemberships;
  return (
    <>
      {organizations.slice(0, shownMemberships).map(({ id, name, role }, index) => (
        <span key={id}>
          {index > 0 && ", "}
          <Link quiet to="/admin/organizations/$id" params={{ id }}>
            {name}
          </Link>{" "}
          ({role})
        </span>
      ))}
      {more > 0 && `, ${formatCount(more)} more`}
    </>
  );
}

function PersonMenu({ person }: { person: PersonRow }) {
  const change = useChange();
  const isSelf = usePerson().id === person.id;
  const { id, name, platform_admin } = person;
  const [isResetting, setResetting] = useState(false);
  const setAdmin = () => {
    const title = platform_admin ? `End the administration of ${name}` : `Make ${name} a platform administrator`;
    const tool = "set_platform_admin";
    void change.open({
      tool,
      args: { person_id: id, platform_admin: !platform_admin },
      title,
      reason: platform_admin ? `Ended the administration of ${name}` : `Made ${name} a platform administrator`,
      confirmLabel: platform_admin ? "End administration" : "Make administrator",
      danger: platform_admin,
      ...(platform_admin ? {} : { warnings: ["Platform administrators can change everything on this platform."] }),
      undo: { tool, args: { person_id: id, platform_admin } },
      done: platform_admin ? `${name} no longer administers the platform` : `${name} is a platform administrator`,
    });
  };
  const remove = () =>
    void change.open({
      tool: "remove_person",
      args: { person_id: id },
      title: `Remove ${name}`,
      reason: `Removed ${name} from the platform`,
      danger: true,
      confirmLabel: "Remove person",
      done: `${name} was removed`,
      warnings: [
        `${countOf(person.keys, "key")} and ${countOf(person.organizations.length, "membership")} end with the next request. This cannot be undone.`,
      ],
    });
  return (
    <>
      <Menu label={`Actions for ${name}`}>
        <MenuItem label="Show records" icon="activity" href={`/admin/records?person=${id}`} />
        <MenuItem
          label="Create password link"
          icon="key"
          isDisabled={isSelf}
          onAction={() => setResetting(true)}
          {...(isSelf ? { hint: "Not yourself" } : {})}
        />
        <MenuItem
          label={platform_admin ? "End administration" : "Make administrator"}
          icon="shield"
          isDisabled={isSelf}
          onAction={setAdmin}
          {...(isSelf ? { hint: "Not yourself" } : {})}
        />
        <MenuItem
          label="Remove person"
          icon="trash"
          danger
          isDisabled={isSelf}
          onAction={remove}
          {...(isSelf ? { hint: "Not yourself" } : {})}
        />
      </Menu>
      {isResetting && <ResetLinkDialog name={name} args={{ person_id: id }} onClose={() => setResetting(false)} />}
    </>
  );
}
