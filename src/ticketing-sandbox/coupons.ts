import { z } from "zod";
import { ServiceError } from "../platform/errors.js";
import { eventOf, instant, parseFields, type SandboxCall } from "./call.js";
import { pageOf } from "./paging.js";
import type { Coupon } from "./records.js";

export const listCoupons: SandboxCall = {
  method: "GET",
  run: (surroundings, fields) => ({ body: pageOf([...eventOf(surroundings, fields).coupons.values()], fields) }),
};

export const createCoupon: SandboxCall = {
  method: "POST",
  run(surroundings, fields) {
    const { event, coupons } = eventOf(surroundings, fields);
    const wanted = parseFields(newCoupon, fields);
    if (coupons.has(wanted.code.toLowerCase())) {
      throw new ServiceError("invalid_input", "A coupon with this code already exists");
    }
    const coupon = makeCoupon(surroundings.newId("cpn"), wanted);
    return { body: { coupon }, changes: [{ kind: "coupon", event_id: event.id, coupon }] };
  },
};

/** A `discount` is not refused, it is ignored: what a coupon takes off never changes. */
export const updateCoupon: SandboxCall = {
  method: "POST",
  run(surroundings, fields) {
    const { event, coupons } = eventOf(surroundings, fields);
    const { code, ...wanted } = parseFields(changedCoupon, fields);
    const coupon = coupons.get(code.toLowerCase());
    if (coupon === undefined) throw new ServiceError("not_found", "Coupon not found");
    const changed = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
    return { body: {}, changes: [{ kind: "coupon", event_id: event.id, coupon: { ...coupon, ...changed } }] };
  },
};

const unlimited = 1_000_000;

const limits = {
  code: z.string().min(1).max(20),
  remaining_count: z.int().min(0).max(unlimited).optional(),
  valid_start_at: instant.nullable().optional(),
  valid_end_at: instant.nullable().optional(),
};

export const newCoupon = z.object({
  ...limits,
  discount: z.discriminatedUnion("discount_type", [
    z.object({ discount_type: z.literal("percent"), percent_off: z.number().min(0).max(100) }),
    z.object({
      discount_type: z.literal("amount"),
      cents_off: z.int().min(1),
      currency: z.string().regex(/^[a-z]{3}$/, { error: "expects a lower-case currency such as usd" }),
    }),
  ]),
});

const changedCoupon = z.object(limits);

export function makeCoupon(id: string, { discount, ...wanted }: z.output<typeof newCoupon>): Coupon {
  return {
    id,
    code: wanted.code,
    remaining_count: wanted.remaining_count ?? unlimited,
    valid_start_at: wanted.valid_start_at ?? null,
    valid_end_at: wanted.valid_end_at ?? null,
    percent_off: discount.discount_type === "percent" ? discount.percent_off : null,
    cents_off: discount.discount_type === "amount" ? discount.cents_off : null,
    currency: discount.discount_type === "amount" ? discount.currency : null,
  };
}
