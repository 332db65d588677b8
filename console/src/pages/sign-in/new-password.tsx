import { minimumPasswordLength } from "../../../../contract/nouns.ts";
import { TextField } from "../../ui/text-field.tsx";

type Props = { label: string; value: string; onChange: (value: string) => void; error: string | undefined };

/** A new password, once: managers fill it in, and a link or "Forgot your password?" helps against a slip. */
export const NewPassword = ({ label, value, onChange, error }: Props) => (
  <TextField
    label={label}
    type="password"
    autoComplete="new-password"
    value={value}
    onChange={onChange}
    error={error}
    description={`At least ${minimumPasswordLength} characters. A sentence is easier to remember than a puzzle.`}
    isRequired
  />
);
