import { useNavigate } from "@tanstack/react-router";
import { useChange } from "../../change/use-change.tsx";
import { required, useDraft } from "../../drafts/use-draft.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { slugOf } from "./slug.ts";

export function OrganizationForm({ onClose }: { onClose: () => void }) {
  const change = useChange();
  const navigate = useNavigate();
  const draft = useDraft({
    form: "new-organization",
    source: { name: "", slug: "", website_url: "", contact_email: "" },
    read: (empty) => empty,
    check: ({ name, slug }) => ({ name: required(name, "a name"), slug: required(slug, "a slug") }),
  });
  const { bind, submitted, set } = draft;
  const submit = async () => {
    const values = submitted();
    if (values === undefined) return;
    const { name, slug } = values;
    const args = { name, slug, website_url: values.website_url || null, contact_email: values.contact_email || null };
    const created = await change.open({
      tool: "create_organization",
      args,
      title: `Create ${name}`,
      confirmLabel: "Create organization",
      reason: `Create organization ${name}`,
      done: `${name} was created`,
    });
    if (created === undefined) return;
    draft.saved();
    onClose();
    void navigate({ to: "/admin/organizations/$id", params: { id: String(created.after.id) } });
  };
  return (
    <FormDialog
      title="Create organization"
      description="Next you invite its owner, who then invites the others."
      submitLabel="Review"
      draft={draft}
      onClose={onClose}
      onSubmit={() => void submit()}
    >
      <div className="column gap-4">
        <TextField
          label="Name"
          autoFocus
          {...bind("name")}
          onChange={(name) =>
            set((before) => ({
              name,
              ...(before.slug === slugOf(before.name) ? { slug: slugOf(name) } : {}),
            }))
          }
        />
        <TextField label="Slug" mono description="Part of the address of its pages" {...bind("slug")} />
        <TextField label="Website" type="url" optional placeholder="https://" {...bind("website_url")} />
        <TextField label="E-mail address for questions" type="email" optional {...bind("contact_email")} />
      </div>
    </FormDialog>
  );
}
