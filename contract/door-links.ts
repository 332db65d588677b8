/** Open links of an organization for one event. */
export const maximumDoorLinks = 10;

/** For how long after the end of its event a link works. */
export const doorHoursAfterEvent = 6;

/** With as many wrong PINs a link is locked for good, for those who have not opened it yet. */
export const maximumWrongPins = 10;

export const pinDigits = 6;

/** Who a change with a link is by. The maker's name is null for a person who was removed. */
export const doorLinkActor = (maker: string | null, name: string | null): string =>
  `Door link of ${maker ?? "somebody who was removed"}${name === null ? "" : ` (${name})`}`;
