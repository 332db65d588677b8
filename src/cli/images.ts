import type { Command } from "commander";
import { unusedPictureDays } from "../../contract/pictures.js";
import { countRemovableImages, removeUnusedImages } from "../modules/images/unused.js";
import { withDatabase } from "../open-database.js";
import { counted, print, printJson } from "./output.js";

const example = "\nExamples:\n  $ svc images prune\n  $ svc images prune --confirm";

export function addImagesCommands(program: Command): void {
  program
    .command("images")
    .description("remove stored images that nothing shows")
    .addHelpText("after", example)
    .command("prune")
    .description(
      `remove images that no row refers to and that were stored or shown more than ${unusedPictureDays} days ago`,
    )
    .option("--confirm", "remove; without it, only what would be removed is shown")
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      `
It can run while the service runs, but not during an import that refers to unused images. The removal is recorded.
${example}`,
    )
    .action(async (options: { confirm?: true; json?: true }) => {
      const removed = options.confirm === true;
      const totals = await withDatabase("images prune", (db, operator) =>
        removed ? removeUnusedImages(db, operator) : countRemovableImages(db),
      );
      if (options.json) return printJson({ removed, ...totals });
      if (totals.images === 0) return print("No image can be removed.");
      const amount = `${counted(totals.images, "unused image")}, ${(totals.bytes / 1e6).toFixed(1)} MB`;
      print(removed ? `Removed ${amount}.` : `There are ${amount}. Nothing was changed: add --confirm to remove them.`);
    });
}
