import { useQuery } from "@tanstack/react-query";
import { platformKey } from "../../api/query-keys.ts";
import { firstRequestPollMs, type NewKey, NewKeyDialog } from "../keys/new-key-dialog.tsx";
import { readRows } from "./admin-api.ts";

export function NewPlatformKey({ newKey, onClose }: { newKey: NewKey; onClose: () => void }) {
  const { data } = useQuery({
    queryKey: platformKey("keys", "newest"),
    queryFn: ({ signal }) => readRows("keys", {}, signal),
    refetchInterval: firstRequestPollMs,
  });
  const isUsed = data?.items.find((key) => key.id === newKey.id)?.last_used_at != null;
  return <NewKeyDialog newKey={newKey} tier="platform" isUsed={isUsed} onClose={onClose} />;
}
