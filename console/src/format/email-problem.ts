/** What is wrong with an address, before the service has looked at it. */
export const emailProblem = (address: string): string | undefined =>
  /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address.trim()) ? undefined : "Enter an e-mail address";
