import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { platformKey } from "../../api/query-keys.ts";
import { ComboBox } from "../../ui/combo-box.tsx";
import { readRows } from "./admin-api.ts";

type Props = {
  label: string;
  list: "conferences" | "organizations";
  value: string | null;
  onChange: (id: string | null) => void;
  /** The name of the value that the field starts with. */
  initialName?: string;
  error?: string | undefined;
  description?: string;
  hideLabel?: boolean;
  placeholder?: string;
};

/** A conference or an organization, found by typing a part of its name. */
export function LookupField({
  list,
  value,
  onChange,
  initialName = "",
  placeholder = "Type to search",
  ...field
}: Props) {
  const [text, setText] = useState(initialName);
  const [name, setName] = useState(initialName);
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
      menuTrigger="focus"
    />
  );
}
