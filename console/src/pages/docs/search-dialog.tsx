import { useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Autocomplete, Dialog, Input, Menu, MenuItem, Modal, ModalOverlay, SearchField } from "react-aria-components";
import type { SearchEntry } from "../../../plugins/search-entries.ts";
import frame from "../../shell/command-menu.module.css";
import { Icon } from "../../ui/icon.tsx";
import list from "../../ui/listbox.module.css";
import { loadPart } from "../../ui/load-part.ts";
import { searchEntries } from "./search.ts";
import styles from "./search-dialog.module.css";

type State = { kind: "loading" } | { kind: "failed" } | { kind: "ready"; entries: SearchEntry[] };

/** Full-text search over guides, operations and tools. The index is loaded when the search is first opened. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const router = useRouter();
  const [query, setQuery] = useState("");
  const [state, setState] = useState<State>({ kind: "loading" });
  useEffect(() => {
    loadPart(() => import("virtual:docs-search")).then(
      (module) => setState({ kind: "ready", entries: module.default }),
      () => setState({ kind: "failed" }),
    );
  }, []);
  const found = state.kind === "ready" ? searchEntries(state.entries, query) : [];
  return (
    <ModalOverlay className={frame.overlay ?? ""} isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Modal className={frame.modal ?? ""}>
        <Dialog aria-label="Search the documentation" className={frame.dialog ?? ""}>
          <Autocomplete inputValue={query} onInputChange={setQuery}>
            <SearchField autoFocus aria-label="Search the documentation" className={frame.search ?? ""}>
              <Icon name="search" size={20} />
              <Input className={frame.input ?? ""} placeholder="Search the documentation" />
            </SearchField>
            <Menu
              aria-label="Results"
              className={frame.results ?? ""}
              items={found}
              renderEmptyState={() => <p className={frame.empty}>{emptyText(state, query)}</p>}
            >
              {({ id, entry, snippet }) => (
                <MenuItem
                  id={id}
                  textValue={entry.title}
                  className={`${list.item} ${list.plain}`}
                  onAction={() => {
                    onClose();
                    router.history.push(entry.path);
                  }}
                >
                  <span className={styles.result}>
                    <span className="breaks medium">
                      {entry.title} <span className={styles.page}>{entry.page}</span>
                    </span>
                    <span className="ellipsis muted small">
                      {snippet.before}
                      <mark className={styles.mark}>{snippet.match}</mark>
                      {snippet.after}
                    </span>
                  </span>
                </MenuItem>
              )}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function emptyText(state: State, query: string): string {
  if (state.kind === "loading") return "Loading…";
  if (state.kind === "failed") return "The search could not be loaded. Check your connection and open it again.";
  return query.trim() === "" ? "Guides, API operations, tools." : `Nothing matches “${query}”. Try fewer words.`;
}
