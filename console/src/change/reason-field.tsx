import { TextArea, type TextAreaProps } from "../ui/text-field.tsx";

export const ReasonField = (props: Omit<TextAreaProps, "label">) => (
  <TextArea
    label="Reason"
    description="Recorded with the change, for everyone who looks at the activity later."
    rows={2}
    {...props}
  />
);
