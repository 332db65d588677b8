/** When a new platform key expires, in days; "" means never: it works until it is revoked. */
export const lifetimes = [
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In 1 year" },
  { value: "", label: "Never" },
];
