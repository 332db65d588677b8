import { Button } from "react-aria-components";
import type { Organization } from "../../../contract/console/account.ts";
import type { Role } from "../../../contract/roles.ts";
import { useSession } from "../api/session.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Icon } from "../ui/icon.tsx";
import { Menu, MenuItem, MenuSection, MenuSeparator } from "../ui/menu.tsx";
import styles from "./organization-switcher.module.css";

const roleWords: Record<Role, string> = {
  member: "You are a member",
  admin: "You are an admin",
  owner: "You are an owner",
};

/** Where one is, and the way to everywhere else that one belongs to. */
export function OrganizationSwitcher({
  current,
  isPlatform,
}: {
  current: Organization | undefined;
  isPlatform: boolean;
}) {
  const { organizations, person } = useSession();
  const name = isPlatform ? "Administration" : (current?.name ?? "Event platform");
  const trigger = (
    <Button className={styles.trigger ?? ""} aria-label={`${name}: switch organization`}>
      <Avatar name={name} imageUrl={current?.logo_url ?? null} size={24} square />
      <span className="fills ellipsis" dir="auto">
        {name}
      </span>
      <Icon name="chevron-up-down" />
    </Button>
  );
  return (
    <Menu trigger={trigger} label="Organizations" placement="bottom start">
      {organizations.length > 0 && (
        <MenuSection title="Organizations">
          {organizations.map((organization) => (
            <MenuItem
              key={organization.id}
              href={`/o/${organization.slug}`}
              label={organization.name}
              hint={roleWords[organization.role]}
              picture={<Avatar name={organization.name} imageUrl={organization.logo_url} size={24} square />}
              isCurrent={organization.id === current?.id}
            />
          ))}
        </MenuSection>
      )}
      {organizations.length > 0 && person?.platform_admin && <MenuSeparator />}
      {person?.platform_admin && (
        <MenuItem
          href="/admin"
          picture={<Icon name="shield" size={24} />}
          label="Administration"
          hint="The whole platform"
          isCurrent={isPlatform}
        />
      )}
    </Menu>
  );
}
