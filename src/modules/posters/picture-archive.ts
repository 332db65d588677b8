import { Readable } from "node:stream";
import { maximumPage } from "../../../contract/nouns.js";
import { posterFileName } from "../../../contract/poster-files.js";
import type { Queryable } from "../../infra/database/db.js";
import { inlined, queryNamed } from "../../infra/database/statement-names.js";
import { type ZipEntry, zipParts } from "../../infra/zip.js";
import { hashInPath, imageStore } from "../images/store.js";

/** Posters of one archive: more would be a download of hundreds of megabytes. */
export const archivedPosters = maximumPage;

type Picture = { title: string | null; event: string; path: string; published: boolean; format: string | null };

/** The pictures of an event's posters as a ZIP archive, drafts in a folder of their own. One is read at a time, as fast as the reader takes them. */
export function pictureArchive(db: Queryable, eventId: string): Readable {
  return Readable.from(zipParts(entriesOf(db, eventId), new Date()));
}

async function* entriesOf(db: Queryable, eventId: string): AsyncGenerator<ZipEntry> {
  const pictures = await listPictures(db, eventId);
  const missing: string[] = [];
  for (const [index, picture] of pictures.slice(0, archivedPosters).entries()) {
    const hash = hashInPath(picture.path);
    const image = hash === undefined ? undefined : await imageStore(db).find(hash);
    const name = `${String(index + 1).padStart(2, "0")} ${posterFileName(picture, picture.path)}`;
    if (image === undefined) missing.push(`${name}: ${hash === undefined ? picture.path : "the picture was removed"}`);
    else yield { name: picture.published ? name : `drafts/${name}`, bytes: image.bytes };
  }
  if (pictures.length > archivedPosters)
    missing.push(`An archive has at most ${archivedPosters} posters: there are more.`);
  if (missing.length > 0) yield { name: "not included.txt", bytes: Buffer.from(`${missing.join("\n")}\n`) };
}

/** In the order of the page, and one more than an archive has. */
function listPictures(db: Queryable, eventId: string): Promise<Picture[]> {
  return queryNamed<Picture>(db, "list pictures of posters")`
    select p.title, e.name as event, p.image_url as path, p.published, p.metadata->>'format' as format
    from posters p join events e on e.id = p.event_id where p.event_id = ${eventId}
    order by p.sort_order, p.created_at, p.id limit ${inlined(archivedPosters + 1)}`;
}
