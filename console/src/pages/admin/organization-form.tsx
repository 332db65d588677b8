import { useNavigate } from "@tanstack/react-router";
import type { OrganizationDetails } from "../../../../contract/console/admin.ts";
import { maximumEmail, maximumLine, maximumSlug, maximumUrl } from "../../../../contract/nouns.ts";
import { changedFields } from "../../change/changed-fields.ts";
import { useChange } from "../../change/use-change.tsx";
import { required, useDraft } from "../../drafts/use-draft.ts";
import { textOrNull } from "../../format/texts.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
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

/** Stores what was entered, through the change dialog: the id of the organization, or undefined if it was dropped. */
function useSave() {
  const change = useChange();
  return {
    async create(values: Draft): Promise<string | undefined> {
      const args = { ...argsOf(values), slug: values.slug };
      const created = await change.open({
        tool: "create_organization",
        args,
        title: `Create ${args.name}`,
        confirmLabel: "Create organization",
        reason: `Created the organization ${args.name}`,
        done: `${args.name} was created`,
      });
      return created === undefined ? undefined : String(created.after.id);
    },
    async update({ id, name }: OrganizationDetails, before: Draft, values: Draft): Promise<string | undefined> {
      const changed = changedFields(argsOf(before), argsOf(values));
      if (Object.keys(changed).length === 0) return id;
      const done = await change.open({
        tool: "update_organization",
        args: { organization_id: id, ...changed },
        title: `Edit ${name}`,
        confirmLabel: "Save changes",
        reason: `Changed the organization ${name}`,
        done: `${values.name.trim()} was changed`,
        undo: backTo("update_organization", { organization_id: id }, changed),
      });
      return done === undefined ? undefined : id;
    },
  };
}

type Props = { organization?: OrganizationDetails; onClose: () => void };

/** Creates an organization, or edits the given one: its own owners change the rest of its profile. */
export function OrganizationForm({ organization, onClose }: Props) {
  const navigate = useNavigate();
  const { create, update } = useSave();
  const draft = useDraft({
    form: organization === undefined ? "new-organization" : `organization ${organization.id}`,
    source: organization,
    read: draftOf,
    labels: organization === undefined ? undefined : labels,
    check: ({ name, slug }) => ({ name: required(name, "a name"), slug: slugProblem(slug) }),
  });
  const { bind, submitted, set } = draft;
  const isNew = organization === undefined;
  const submit = async () => {
    const values = submitted();
    if (values === undefined) return;
    const id = isNew ? await create(values) : await update(organization, draftOf(draft.base), values);
    if (id === undefined) return;
    draft.saved();
    onClose();
    if (isNew) void navigate({ to: "/admin/organizations/$id", params: { id } });
  };
  return (
    <FormDialog
      title={isNew ? "Create organization" : "Edit organization"}
      description={
        isNew
          ? "Next you invite its owner, who then invites the others."
          : "Its owners change the rest of its profile: description, logos, colours and links."
      }
      submitLabel={isNew ? "Review" : "Save changes"}
      draft={draft}
      onClose={onClose}
      onSubmit={submit}
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
    </FormDialog>
  );
}
