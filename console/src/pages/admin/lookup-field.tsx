import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { platformKey } from "../../api/query-keys.ts";
import { ComboBox } from "../../ui/combo-box.tsx";
import { detailQuery, readRows } from "./admin-api.ts";

type Props = {
  label: string;
  list: "conferences" | "organizations";
  value: string | null;
  onChange: (id: string | null) => void;
  error?: string | undefined;
  description?: string;
  hideLabel?: boolean;
  placeholder?: string;
  autoFocus?: boolean;
};

/** A conference or an organization, found by typing a part of its name. */
export function LookupField({ list, value, onChange, placeholder = "Type to search", ...field }: Props) {
  const [text, setText] = useState("");
  const [name, setName] = useState("");
  const isNameless = value !== null && name === "";
  // The form was reset.
  if (value === null && name !== "") {
    setName("");
    setText("");
  }
  // A draft that has come back has only the id.
  const named = useQuery({ ...detailQuery(list, value ?? ""), enabled: isNameless });
  if (isNameless && named.data !== undefined) {
    setName(named.data.name);
    setText(named.data.name);
  }
  const { data } = useQuery({
    queryKey: platformKey(list, "lookup", text),
    queryFn: async ({ signal }) => (await readRows(list, { q: text, limit: "20" }, signal)).items,
    placeholderData: (before) => before,
  });
  const options = (data ?? []).map(({ id, name, slug }) => ({ value: id, label: name, hint: slug }));
  // With both text and value from outside, React Aria leaves it to us that they agree.
  const choose = (id: string | null) => {
    const chosen = id === null ? "" : (options.find(({ value }) => value === id)?.label ?? name);
    setName(chosen);
    setText(chosen);
    onChange(id);
  };
  const type = (typed: string) => {
    setText(typed);
    if (typed === "") onChange(null);
  };
  return (
    <ComboBox
      {...field}
      options={options}
      remote
      value={value}
      onChange={choose}
      inputValue={text}
      onInputChange={type}
      placeholder={placeholder}
      // A focus that nobody has set opens nothing.
      menuTrigger={field.autoFocus === true ? "input" : "focus"}
    />
  );
}
