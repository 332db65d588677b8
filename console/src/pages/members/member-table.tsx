import { useNavigate } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import type { Member } from "../../../../contract/console/organization.ts";
import { type Role, roleAtLeast } from "../../../../contract/roles.ts";
import { queryClient } from "../../api/query-client.ts";
import { sessionKey } from "../../api/query-keys.ts";
import { useOrganization, usePerson } from "../../api/session.ts";
import { useChange } from "../../change/use-change.tsx";
import { countOf } from "../../format/counts.ts";
import { articled, roleLabel, roleOptions } from "../../format/roles.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Email } from "../../ui/email.tsx";
import { lazyPart } from "../../ui/lazy-part.ts";
import { Menu, MenuItem, MenuSection, MenuSeparator } from "../../ui/menu.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { UnverifiedAddress } from "../../ui/unverified-address.tsx";

const ResetLinkDialog = lazyPart(() => import("./reset-link-dialog.tsx"), "ResetLinkDialog");

export function MemberTable({ members }: { members: Member[] }) {
  const person = usePerson();
  const isOwner = roleAtLeast(useOrganization().role, "owner");
  const columns: Column<Member>[] = [
    { title: "Person", cell: (member) => <Identity member={member} isSelf={member.user_id === person.id} /> },
    { title: "Role", cell: ({ role }) => roleLabel(role) },
    {
      title: "API keys",
      cell: ({ active_keys }) =>
        active_keys === 0 ? <span className="faint small regular">None</span> : countOf(active_keys, "key"),
    },
    {
      title: "Actions",
      hideTitle: true,
      corner: true,
      align: "end",
      cell: (member) =>
        (isOwner || member.user_id === person.id) && (
          <MemberActions member={member} isOwner={isOwner} isSelf={member.user_id === person.id} />
        ),
    },
  ];
  return (
    <Table
      caption="Everybody in the organization"
      columns={columns}
      rows={members}
      rowKey={({ user_id }) => user_id}
      cards
    />
  );
}

const Identity = ({ member: { name, email, unverified }, isSelf }: { member: Member; isSelf: boolean }) => (
  <span className="flex centered gap-3 shrinks">
    <Avatar name={name} />
    <span className="column shrinks breaks">
      <span>
        <bdi>{name}</bdi> {isSelf && <Badge>You</Badge>} {unverified && <UnverifiedAddress />}
      </span>
      <span className="faint small regular">
        <Email address={email} />
      </span>
    </span>
  </span>
);

function MemberActions({ member, isOwner, isSelf }: { member: Member; isOwner: boolean; isSelf: boolean }) {
  const { setRole, remove, leave } = useMemberChanges(member);
  const [isResetting, setResetting] = useState(false);
  return (
    <>
      <Menu label={`Actions for ${member.name}`}>
        {isOwner && (
          <>
            <MenuSection title="Role">
              {roleOptions.map(({ value, label, hint }) => (
                <MenuItem
                  key={value}
                  label={label}
                  {...(hint === undefined ? {} : { hint })}
                  isCurrent={value === member.role}
                  isDisabled={value === member.role}
                  onAction={() => setRole(value)}
                />
              ))}
            </MenuSection>
            <MenuSeparator />
          </>
        )}
        {isOwner && !isSelf && (
          <MenuItem
            icon="key"
            label="Create password link"
            hint="For somebody who forgot the password"
            onAction={() => setResetting(true)}
          />
        )}
        {isSelf ? (
          <MenuItem icon="door" label="Leave organization" danger onAction={() => leave()} />
        ) : (
          <MenuItem icon="trash" label="Remove from organization" danger onAction={remove} />
        )}
      </Menu>
      {isResetting && (
        <Suspense>
          <ResetLinkDialog name={member.name} args={{ user_id: member.user_id }} onClose={() => setResetting(false)} />
        </Suspense>
      )}
    </>
  );
}

function useMemberChanges({ user_id, name, role }: Member) {
  const change = useChange();
  const navigate = useNavigate();
  const organization = useOrganization();
  const person = usePerson();
  const readSession = () => queryClient.invalidateQueries({ queryKey: sessionKey });
  return {
    setRole: (next: Role) =>
      change.open({
        tool: "set_member_role",
        args: { user_id, role: next },
        title: `Make ${name} ${articled(next)}`,
        reason: `Made ${name} ${articled(next)} instead of ${articled(role)}`,
        confirmLabel: "Change role",
        done: `${name} is now ${articled(next)}`,
        undo: { tool: "set_member_role", args: { user_id, role } },
        ...(user_id === person.id ? { warnings: ["This is your own role."], onDone: () => void readSession() } : {}),
      }),
    remove: () =>
      change.open({
        tool: "remove_member",
        args: { user_id },
        title: `Remove ${name}`,
        reason: `Removed ${name} from ${organization.name}`,
        confirmLabel: "Remove person",
        danger: true,
        describe: () => (
          <p>
            <bdi>{name}</bdi> no longer sees or changes anything of {organization.name}, from the next request on. The
            account itself stays, and you can invite the person again.
          </p>
        ),
        done: `${name} was removed`,
      }),
    async leave() {
      const left = await change.open({
        tool: "leave_organization",
        args: {},
        title: `Leave ${organization.name}`,
        reason: `Left ${organization.name}`,
        confirmLabel: "Leave organization",
        danger: true,
        describe: () => <p>You lose access to its events, guests and posters. Only an owner can invite you again.</p>,
        done: `You have left ${organization.name}`,
      });
      if (left === undefined) return;
      await navigate({ to: "/account" });
      await readSession();
    },
  };
}
