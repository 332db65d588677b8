import { useNavigate } from "@tanstack/react-router";
import { useChange } from "../../change/use-change.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { required, slugOf, useDraft } from "./use-draft.ts";

export function OrganizationForm({ onClose }: { onClose: () => void }) {
  const change = useChange();
  const navigate = useNavigate();
  const { bind, submitted, setDraft } = useDraft(
    { name: "", slug: "", website_url: "", contact_email: "" },
    (draft) => ({
      name: required(draft.name, "a name"),
      slug: required(draft.slug, "a slug"),
    }),
  );
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
    onClose();
    void navigate({ to: "/admin/organizations/$id", params: { id: String(created.after.id) } });
  };
  return (
    <FormDialog
      title="Create organization"
      description="Next you invite its owner, who then invites the others."
      submitLabel="Review"
      onClose={onClose}
      onSubmit={() => void submit()}
    >
      <div className="column gap-4">
        <TextField
          label="Name"
          autoFocus
          {...bind("name")}
          onChange={(name) =>
            setDraft((before) => ({
              ...before,
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
