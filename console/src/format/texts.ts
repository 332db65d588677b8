/** What an empty field of a form stands for. */
export const textOrNull = (text: string): string | null => (text.trim() === "" ? null : text.trim());

export const isWebAddress = (text: string): boolean => /^https?:\/\/[^\s/]/i.test(text.trim());
