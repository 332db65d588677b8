const numbers = new Intl.NumberFormat("en-GB");

export const formatCount = (count: number): string => numbers.format(count);

/** "1 guest", "2,000 guests". */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** "Ana, Ben and Cem". */
export const listOf = (items: string[]): string => new Intl.ListFormat("en-GB").format(items);
