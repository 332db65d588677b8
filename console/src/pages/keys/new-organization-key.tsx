import { useQuery } from "@tanstack/react-query";
import { useOrganization } from "../../api/session.ts";
import { keysQuery } from "./key-data.ts";
import { firstRequestPollMs, type NewKey, NewKeyDialog } from "./new-key-dialog.tsx";

export function NewOrganizationKey({ newKey, onClose }: { newKey: NewKey; onClose: () => void }) {
  const { id } = useOrganization();
  const { data } = useQuery({ ...keysQuery(id), refetchInterval: firstRequestPollMs });
  const isUsed = data?.keys.find((key) => key.id === newKey.id)?.last_used_at != null;
  return <NewKeyDialog newKey={newKey} tier="organization" isUsed={isUsed} onClose={onClose} />;
}
