import { useNavigate, useSearch } from "@tanstack/react-router";

/**
 * What is open on a page, by a name in its address, so that the command menu and links can open it. `true` in the address
 * is the text "true"; ids are as they are.
 */
export function useOpenedByAddress(name: string): [string | undefined, (value: string | undefined) => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const open = (value: string | undefined) => {
    const { [name]: _, ...others } = search;
    const next = value === undefined ? others : { ...others, [name]: value === "true" ? true : value };
    void navigate({ to: ".", search: next as never, replace: true, resetScroll: false });
  };
  return [search[name] === undefined ? undefined : String(search[name]), open];
}
