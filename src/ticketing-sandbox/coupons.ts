import { z } from "zod";
import { ServiceError } from "../../contract/errors.js";
import { getEventByFields, isoTimestamp, paginate, parseFields, type SandboxHandler } from "./handler.js";
import type { PlatformCoupon } from "./records.js";

export const listCoupons: SandboxHandler = {
  method: "GET",
  handle: (context, fields) => ({ body: paginate([...getEventByFields(context, fields).coupons.values()], fields) }),
};

export const createCoupon: SandboxHandler = {
  method: "POST",
  handle(context, fields) {
    const { event, coupons } = getEventByFields(context, fields);
    const input = parseFields(newCoupon, fields);
    if (coupons.has(input.code.toLowerCase())) {
      throw new ServiceError("invalid_input", "A coupon with this code already exists");
    }
    const coupon = buildCoupon(context.newId("cpn"), input);
    return { body: { coupon }, changes: [{ kind: "coupon", event_id: event.id, coupon }] };
  },
};

/** Ignores `discount`, as the platform does: a coupon's discount cannot be changed. */
export const updateCoupon: SandboxHandler = {
  method: "POST",
  handle(context, fields) {
    const { event, coupons } = getEventByFields(context, fields);
    const { code, ...input } = parseFields(changedCoupon, fields);
    const coupon = coupons.get(code.toLowerCase());
    if (coupon === undefined) throw new ServiceError("not_found", "Coupon not found");
    const changed = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    return { body: {}, changes: [{ kind: "coupon", event_id: event.id, coupon: { ...coupon, ...changed } }] };
  },
};

const unlimited = 1_000_000;

const limits = {
  code: z.string().min(1).max(20),
  remaining_count: z.int().min(0).max(unlimited).optional(),
  valid_start_at: isoTimestamp.nullable().optional(),
  valid_end_at: isoTimestamp.nullable().optional(),
};

export const newCoupon = z.object({
  ...limits,
  discount: z.discriminatedUnion("discount_type", [
    z.object({ discount_type: z.literal("percent"), percent_off: z.number().min(0).max(100) }),
    z.object({
      discount_type: z.literal("amount"),
      cents_off: z.int().min(1),
      currency: z.string().regex(/^[a-z]{3}$/, { error: "expected a lower-case currency code such as usd" }),
    }),
  ]),
});

const changedCoupon = z.object(limits);

export function buildCoupon(id: string, { discount, ...input }: z.output<typeof newCoupon>): PlatformCoupon {
  return {
    id,
    code: input.code,
    remaining_count: input.remaining_count ?? unlimited,
    valid_start_at: input.valid_start_at ?? null,
    valid_end_at: input.valid_end_at ?? null,
    percent_off: discount.discount_type === "percent" ? discount.percent_off : null,
    cents_off: discount.discount_type === "amount" ? discount.cents_off : null,
    currency: discount.discount_type === "amount" ? discount.currency : null,
  };
}
