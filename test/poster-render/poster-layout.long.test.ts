import { describeLayout } from "./describe-layout.js";
import { everyDesign } from "./poster-material.js";

/** Posters of thirty speakers fill every layout to its limits. */
const squares: Record<string, number> = { "everything long": 2, "thirty speakers": 4 };

describeLayout({ designs: everyDesign, squares: (name) => squares[name] ?? 1 });
