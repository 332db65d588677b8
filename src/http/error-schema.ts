import { errorCodes } from "../../contract/errors.js";

/** The body of every error of REST and the ticketing proxy. */
export const errorSchema = {
  type: "object",
  properties: {
    error: { type: "string", description: "what was wrong and what to do" },
    code: {
      type: "string",
      examples: errorCodes,
      description: "what to branch on: one of the examples, or one that was added since",
    },
    request_id: { type: "string", description: "also in X-Request-Id; the log has the details under it" },
    field: { type: "string", description: "the first wrong field, parameter or header, if one of them is wrong" },
  },
  required: ["error", "code", "request_id"],
  examples: [
    {
      error: "limit: expected an integer from 1; more than 200 counts as 200",
      code: "invalid_input",
      request_id: "0d0b1f6e-3a53-4b1f-9d4c-4c3b2f5a8f10",
      field: "limit",
    },
  ],
};
