import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { beforeAll } from "vitest";
import { type Page, type Pages, withPages } from "./pages.ts";

export type AdministrationPages = Omit<Pages, "open"> & {
  /** Opens a page for Ada Min, an administrator, or for whoever has the cookie. */
  open(path: string, cookie?: string): Promise<Page>;
  /** The session of Ada Min. */
  cookie(): string;
  /** From 4 May 2031 on, in Lisbon. */
  newConference(name: string, status: "draft" | "published"): Promise<string>;
};

export function withAdministration(): AdministrationPages {
  const pages = withPages();
  const { service, make } = pages;
  let administrator: string;
  beforeAll(async () => {
    const userId = await make.platformAdministrator();
    administrator = await service.signIn(userId);
    // More than a list shows before one searches.
    for (let n = 1; n <= 25; n += 1) {
      await make.organization(`Alpha ${n}`);
      await make.conference({ start_date: "2031-12-31" });
    }
  });
  return {
    ...pages,
    open: (path, cookie = administrator) => pages.open(path, cookie),
    cookie: () => administrator,
    async newConference(name, status) {
      const id = await make.conference({ start_date: "2031-05-04", status });
      await service.db.query(sql`update conferences set name = ${name} where id = ${id}`);
      return id;
    },
  };
}

/** A word that no other test uses. */
export const newWord = () => `Nova${randomUUID().slice(0, 6)}`;
