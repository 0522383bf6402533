import type { Variant } from "../departure.js";
import { editMembers, type Json, orderRefsIn, raw } from "../json.js";

/** Conformant ways to write the same values (W1, W5, W8). */
export const wire: readonly Variant[] = [
  {
    kind: "variant",
    name: "defaults-emitted",
    summary: "Fields that hold zero, an empty string, false or an empty list are always present.",
    codec: { alwaysEmitImplicit: true },
  },
  {
    kind: "variant",
    name: "order-ref-ids-as-numbers",
    summary: "Order references carry their ids as JSON integers, also beyond 2^53.",
    response: (_endpoint, json) => {
      for (const ref of orderRefsIn(json)) {
        for (const name of ["orderId", "marketId"] as const) {
          const id = ref[name];
          if (typeof id === "string") ref[name] = raw(id);
        }
      }
      return json;
    },
  },
  {
    kind: "variant",
    name: "timestamps-with-offset",
    summary: "Timestamps are written in a zone two hours ahead, with a numeric offset.",
    response: (_endpoint, json) => {
      for (const name of ["timestamp", "createdAt", "updatedAt"]) editMembers(json, name, twoHoursAhead);
      return json;
    },
  },
];

/** The same instant in the zone +02:00, with all its fractional digits. */
function twoHoursAhead(timestamp: Json): Json {
  const [, toTheSecond, fraction] = /^(.{19})(\.\d+)?Z$/.exec(String(timestamp)) ?? [];
  if (toTheSecond === undefined) return timestamp;
  const shifted = new Date(Date.parse(`${toTheSecond}Z`) + 2 * 3_600_000).toISOString().slice(0, 19);
  return `${shifted}${fraction ?? ""}+02:00`;
}
