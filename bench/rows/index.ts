import type { RowGroup } from "../support/row.js";
import { commitRows } from "./commit.js";
import { embeddedRows } from "./embedded.js";
import { mcpRows } from "./mcp.js";
import { pageRows } from "./pages.js";
import { processRows } from "./processes.js";
import { ticketingRows } from "./ticketing.js";
import { uncachedRows } from "./uncached.js";

/** In the order of the table. */
export const rowGroups: RowGroup[] = [
  pageRows,
  uncachedRows,
  mcpRows,
  commitRows,
  processRows,
  embeddedRows,
  ticketingRows,
];
