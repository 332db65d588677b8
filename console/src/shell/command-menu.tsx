import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useParams, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  SearchField,
} from "react-aria-components";
import { shortestSearch } from "../../../contract/nouns.ts";
import { organizationKey } from "../api/query-keys.ts";
import { useOptionalOrganization, useSession } from "../api/session.ts";
import { Icon } from "../ui/icon.tsx";
import list from "../ui/listbox.module.css";
import { useSettled } from "../ui/use-settled.ts";
import styles from "./command-menu.module.css";
import { type Command, knownCommands, searchCommands } from "./commands.ts";

/** More would not be read; typing narrows it down. */
const maximumPerGroup = 8;
const pauseMs = 120;

export function CommandMenu({ onClose }: { onClose: () => void }) {
  const router = useRouter();
  const [query, setQuery] = useState("");
  const { commands, failed } = useFoundCommands(query);
  const groups = [...new Set(commands.map(({ group }) => group))];
  const commandsOf = (wanted: string) => commands.filter(({ group }) => group === wanted).slice(0, maximumPerGroup);
  const run = (command: Command) => {
    onClose();
    router.history.push(command.href);
  };
  return (
    <ModalOverlay
      data-overlay
      className={styles.overlay ?? ""}
      isOpen
      isDismissable
      onOpenChange={(open) => !open && onClose()}
    >
      <Modal className={styles.modal ?? ""}>
        <Dialog aria-label="Search and commands" className={styles.dialog ?? ""}>
          <Autocomplete inputValue={query} onInputChange={setQuery}>
            <SearchField
              autoFocus
              aria-label="Search events, guests, pages and actions"
              className={styles.search ?? ""}
            >
              <Icon name="search" size={20} />
              <Input className={styles.input ?? ""} placeholder="Search events, guests, pages and actions" />
            </SearchField>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
            <div className={styles.results} tabIndex={0}>
              <Menu
                aria-label="Results"
                className={list.list ?? ""}
                renderEmptyState={() => (
                  <p className={styles.empty}>
                    {failed
                      ? "Events and guests could not be searched. Try again in a moment."
                      : `Nothing matches “${query}”. Try fewer words.`}
                  </p>
                )}
              >
                {groups.map((group) => (
                  <MenuSection key={group}>
                    <Header className={list.header ?? ""}>{group}</Header>
                    {commandsOf(group).map((command) => (
                      <MenuItem
                        key={command.id}
                        textValue={command.label}
                        className={`${list.item} ${list.plain}`}
                        onAction={() => run(command)}
                      >
                        <Icon name={command.icon} />
                        <span className="column shrinks" dir="auto">
                          {command.label}
                        </span>
                        {command.hint !== undefined && <span className={list.keys}>{command.hint}</span>}
                      </MenuItem>
                    ))}
                  </MenuSection>
                ))}
              </Menu>
            </div>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** Pages and actions at once, events and guests after a pause in typing; those of the last search stay until then. */
function useFoundCommands(query: string): { commands: Command[]; failed: boolean } {
  const session = useSession();
  const organization = useOptionalOrganization();
  const { event } = useParams({ strict: false });
  const words = useSettled(query.trim(), pauseMs);
  const { data, error } = useQuery({
    queryKey: organizationKey(organization?.id ?? "", "search", words),
    queryFn: ({ signal }) => (organization === undefined ? [] : searchCommands(organization, words, signal)),
    enabled: organization !== undefined && words.length >= shortestSearch,
    placeholderData: keepPreviousData,
  });
  const known = knownCommands(session, organization, event, query.trim());
  const found = words.length >= shortestSearch && query.trim() !== "" ? (data ?? []) : [];
  return { commands: [...known, ...found], failed: error !== null };
}
