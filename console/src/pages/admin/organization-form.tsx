import { useNavigate } from "@tanstack/react-router";
import type { OrganizationDetails } from "../../../../contract/console/admin.ts";
import { maximumEmail, maximumLine, maximumSlug, maximumUrl } from "../../../../contract/nouns.ts";
import { ChangeForm } from "../../change/change-form.tsx";
import type { ChangeRequest } from "../../change/change-request.ts";
import { changedFields } from "../../change/changed-fields.ts";
import { required, useDraft } from "../../drafts/use-draft.ts";
import { textOrNull } from "../../format/texts.ts";
import { TextField } from "../../ui/text-field.tsx";
import { backTo } from "./back-to.ts";
import { slugOf, slugProblem } from "./slug.ts";

type Draft = { name: string; slug: string; website_url: string; contact_email: string };

const draftOf = (organization: OrganizationDetails | undefined): Draft => ({
  name: organization?.name ?? "",
  slug: organization?.slug ?? "",
  website_url: organization?.website_url ?? "",
  contact_email: organization?.contact_email ?? "",
});

const argsOf = ({ name, website_url, contact_email }: Draft) => ({
  name: name.trim(),
  website_url: textOrNull(website_url),
  contact_email: textOrNull(contact_email),
});

const labels: Record<keyof Draft, string> = {
  name: "Name",
  slug: "Slug",
  website_url: "Website",
  contact_email: "E-mail address for questions",
};

function changeOf(
  organization: OrganizationDetails | undefined,
  before: Draft,
  values: Draft,
): ChangeRequest | undefined {
  const args = argsOf(values);
  if (organization === undefined) {
    return {
      tool: "create_organization",
      args: { ...args, slug: values.slug },
      title: `Create ${args.name}`,
      confirmLabel: "Create organization",
      reason: `Created the organization ${args.name}`,
      done: `${args.name} was created`,
    };
  }
  const { id, name } = organization;
  const changed = changedFields(argsOf(before), args);
  if (Object.keys(changed).length === 0) return undefined;
  return {
    tool: "update_organization",
    args: { organization_id: id, ...changed },
    title: `Edit ${name}`,
    confirmLabel: "Save changes",
    reason: `Changed the organization ${name}`,
    done: `${args.name} was changed`,
    undo: backTo("update_organization", { organization_id: id }, changed),
  };
}

type Props = { organization?: OrganizationDetails; onClose: () => void };

/** Creates an organization, or edits the given one: its own owners change the rest of its profile. */
export function OrganizationForm({ organization, onClose }: Props) {
  const navigate = useNavigate();
  const draft = useDraft({
    form: organization === undefined ? "new-organization" : `organization ${organization.id}`,
    source: organization,
    read: draftOf,
    labels: organization === undefined ? undefined : labels,
    check: ({ name, slug }) => ({ name: required(name, "a name"), slug: slugProblem(slug) }),
  });
  const { bind, set } = draft;
  const isNew = organization === undefined;
  return (
    <ChangeForm
      title={isNew ? "Create organization" : "Edit organization"}
      description={
        isNew
          ? "Next you invite its owner, who then invites the others."
          : "Its owners change the rest of its profile: description, logos, colours and links."
      }
      submitLabel={isNew ? "Review" : "Save changes"}
      draft={draft}
      onClose={onClose}
      change={(values) => changeOf(organization, draftOf(draft.base), values)}
      onDone={({ after }) => {
        onClose();
        if (isNew) void navigate({ to: "/admin/organizations/$id", params: { id: String(after.id) } });
      }}
    >
      <div className="column gap-4">
        <TextField
          label={labels.name}
          maxLength={maximumLine}
          autoFocus
          {...bind("name")}
          onChange={(name) =>
            set((before) => ({
              name,
              ...(isNew && before.slug === slugOf(before.name) ? { slug: slugOf(name) } : {}),
            }))
          }
        />
        {isNew && (
          <TextField
            label={labels.slug}
            mono
            maxLength={maximumSlug}
            description="Part of the address of its pages. It cannot be changed later"
            {...bind("slug")}
          />
        )}
        <TextField
          label={labels.website_url}
          type="url"
          optional
          placeholder="https://"
          maxLength={maximumUrl}
          {...bind("website_url")}
        />
        <TextField
          label={labels.contact_email}
          type="email"
          optional
          maxLength={maximumEmail}
          {...bind("contact_email")}
        />
      </div>
    </ChangeForm>
  );
}
