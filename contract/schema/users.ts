import { z } from "zod";
import { email, line, uuid } from "./fields.js";

export const userRow = z.strictObject({
  id: uuid.optional(),
  email,
  name: line(200),
  platform_admin: z.boolean().optional(),
});
