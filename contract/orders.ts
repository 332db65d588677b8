/** The orders of lists; the first of each is the default. */
export const byTime = ["latest", "earliest"] as const;
export const byNameOrAge = ["name", "newest"] as const;
export const eventSorts = ["earliest", "latest", "name", "guests"] as const;

export type TimeOrder = (typeof byTime)[number];
export type NameOrAge = (typeof byNameOrAge)[number];
export type EventSort = (typeof eventSorts)[number];
