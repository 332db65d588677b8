import type { ConnectRequest } from "../../../../contract/console/account.ts";
import type { Scope } from "../../../../contract/scopes.ts";
import { articled } from "../../format/roles.ts";
import { Checkbox, CheckboxGroup } from "../../ui/checkbox.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { scopeWords } from "../keys/key-data.ts";
import { ScopeTitle } from "../keys/scope-list.tsx";

type Props = {
  /** By the app. */
  requested: Scope[];
  /** The one that the app would act for, once it is chosen. */
  organization: ConnectRequest["organizations"][number] | undefined;
  chosen: Scope[];
  onChange: (scopes: Scope[]) => void;
  error: string | undefined;
};

export function ScopeChoice({ requested, organization, chosen, onChange, error }: Props) {
  const canUse = (scope: Scope) => organization?.scopes.includes(scope) ?? true;
  if (organization !== undefined && !requested.some(canUse)) {
    return (
      <InlineNotice tone="warning" title="Your role is not enough for this app">
        It asks for {requested.map((scope) => `“${scopeWords[scope].title}”`).join(", ")}. As{" "}
        {articled(organization.role)} of {organization.name} you cannot use that: ask an owner for another role.
      </InlineNotice>
    );
  }
  return (
    <CheckboxGroup
      label="It may"
      description="This is what it asks for, as far as your role goes. Untick what it should not get."
      value={chosen}
      onChange={(next) => onChange(requested.filter((scope) => next.includes(scope)))}
      error={error}
    >
      {requested.map((scope) => (
        <Checkbox
          key={scope}
          value={scope}
          isDisabled={!canUse(scope)}
          hint={canUse(scope) ? scopeWords[scope].hint : `Not open to your role, ${organization?.role}`}
        >
          <ScopeTitle scope={scope} />
        </Checkbox>
      ))}
    </CheckboxGroup>
  );
}
