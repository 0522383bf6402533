import { deflateSync, gzipSync } from "node:zlib";
import { content, refusalKinds } from "../aspects.js";
import { jsonReply } from "../endpoint-handler.js";
import { editMembers, isObject, type MutableJson, orderRefsIn, ordersIn, positionsIn, raw } from "../json.js";
import type { HttpReply, Interceptors, Variant } from "../modification.js";

/** Rewrites the JSON text of every success, error and stream message. */
function rewritten(write: (text: string) => string): Pick<Interceptors, "http" | "frame"> {
  const rewritten = (bytes: Uint8Array) => Buffer.from(write(Buffer.from(bytes).toString()));
  return {
    http: (_endpoint, reply) => (isJson(reply) ? { ...reply, body: rewritten(reply.body) } : undefined),
    frame: (frame) => ({ ...frame, data: rewritten(frame.data) }),
  };
}

/** Changes every complete reply. */
function wrapped(wrap: (reply: HttpReply) => HttpReply): Interceptors["http"] {
  return (_endpoint, reply) => wrap(reply);
}

function withHeaders(reply: HttpReply, headers: HttpReply["headers"]): HttpReply {
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

function isJson({ headers, body }: HttpReply): boolean {
  return body.byteLength > 0 && headers["content-type"] === "application/json";
}

/** Rewrites every timestamp that is present. */
function timestamps(write: (toTheSecond: string, fraction: string) => string): Interceptors["response"] {
  return (_endpoint, json) => {
    for (const name of ["timestamp", "createdAt", "updatedAt"]) {
      editMembers(json, name, (timestamp) => {
        const [, toTheSecond, fraction = ""] = /^(.{19})(\.\d+)?Z$/.exec(String(timestamp)) ?? [];
        return toTheSecond === undefined ? timestamp : write(toTheSecond, fraction);
      });
    }
    return json;
  };
}

/** The same instant in the zone +02:00, with all fractional digits. */
function twoHoursAhead(toTheSecond: string, fraction: string): string {
  const shifted = new Date(Date.parse(`${toTheSecond}Z`) + 2 * 3_600_000).toISOString().slice(0, 19);
  return `${shifted}${fraction}+02:00`;
}

/** Changes every value at any depth, innermost first. */
function deeply(json: MutableJson, change: (value: MutableJson) => MutableJson): MutableJson {
  if (Array.isArray(json)) return change(json.map((element) => deeply(element, change)));
  if (!isObject(json)) return change(json);
  const members = Object.entries(json).map(([name, value]) => [name, value && deeply(value, change)] as const);
  return change(Object.fromEntries(members));
}

/** Writes a fraction with an exponent, and an integer with a decimal point (W6, W7). */
function otherNotation(value: MutableJson): MutableJson {
  if (typeof value !== "number") return value;
  return raw(Number.isInteger(value) ? `${value}.0` : value.toExponential().replace("e", "E"));
}

/** Escapes the first character of each string in a JSON text, including names. */
function escaped(text: string): string {
  return text.replace(/"([^"\\])/g, (found, first: string, at: number) =>
    opensString(text, at) ? `"\\u${first.charCodeAt(0).toString(16).padStart(4, "0")}` : found,
  );
}

/**
 * Whether the quote at an index opens a string. The service's strings contain no quotes, so the preceding punctuation tells.
 */
function opensString(text: string, at: number): boolean {
  return at > 0 && /[{[,:]/.test(text.charAt(at - 1));
}

const htmlHeaders = { "content-type": "text/html; charset=iso-8859-1" };

/** Conformant ways to write and transport the same values (W1 to W10, E2, E3, H1, H4). */
export const wire: readonly Variant[] = [
  // Values.
  {
    kind: "variant",
    name: "defaults-emitted",
    summary: "Fields that hold zero, an empty string, false or an empty list are always present (W1).",
    touches: content,
    codec: { alwaysEmitImplicit: true },
  },
  {
    kind: "variant",
    name: "single-valued-enums-left-out",
    summary: "Margin types and order types, which have one value each, are left out (W2).",
    touches: content,
    response: (_endpoint, json) => {
      for (const position of positionsIn(json)) delete position.marginType;
      for (const order of ordersIn(json)) delete order.type;
      return json;
    },
  },
  {
    kind: "variant",
    name: "first-enum-values-left-out",
    summary: "Long sides and pending statuses, which the encoding calls zero, are written out nowhere (W2).",
    warns: ["wire.enum-values-written"],
    response: (_endpoint, json) => {
      for (const row of [...positionsIn(json), ...ordersIn(json)]) {
        if (row.side === "SIDE_LONG") delete row.side;
        if (row.status === "ORDER_STATUS_PENDING") delete row.status;
      }
      return json;
    },
  },
  {
    kind: "variant",
    name: "unlisted-fields",
    summary: "Every object carries fields that the specification does not list, one of them null (W10).",
    touches: content,
    response: (_endpoint, json) =>
      deeply(json, (value) =>
        isObject(value) ? { revision: 3, ...value, notes: null, links: [{ rel: "self" }] } : value,
      ),
  },
  {
    kind: "variant",
    name: "order-ref-ids-as-numbers",
    summary: "Order references carry their ids as JSON integers, also beyond 2^53 (W5).",
    touches: content,
    response: (_endpoint, json) => {
      for (const ref of orderRefsIn(json)) {
        for (const name of ["orderId", "marketId"]) if (typeof ref[name] === "string") ref[name] = raw(ref[name]);
      }
      return json;
    },
  },
  {
    kind: "variant",
    name: "order-ref-ids-mixed",
    summary: "Every other order reference carries its order id as a JSON integer (W5).",
    touches: content,
    response: (_endpoint, json) => {
      orderRefsIn(json).forEach((ref, index) => {
        if (index % 2 === 1 && typeof ref.orderId === "string") ref.orderId = raw(ref.orderId);
      });
      return json;
    },
  },
  {
    kind: "variant",
    name: "ids-beyond-int64",
    summary: "Order and position ids lie between 2^63 and 2^64 (W4).",
    touches: content,
    response: (_endpoint, json) => {
      const shifted = (id: MutableJson) => String(BigInt.asUintN(64, BigInt(String(id)) + 2n ** 63n));
      for (const name of ["orderId", "positionId"]) editMembers(json, name, shifted);
      return json;
    },
  },
  {
    kind: "variant",
    name: "numbers-in-other-notations",
    summary: "Fractions are written with an exponent, integers with a point and a zero (W6, W7).",
    touches: content,
    response: (_endpoint, json) => deeply(json, otherNotation),
  },
  {
    kind: "variant",
    name: "timestamps-with-offset",
    summary: "Timestamps are written in a zone two hours ahead, with a numeric offset (W8).",
    touches: content,
    response: timestamps(twoHoursAhead),
  },
  {
    kind: "variant",
    name: "timestamps-in-zone-zero",
    summary: "Timestamps are written with the offset +00:00 and twelve fractional digits (W8).",
    touches: content,
    response: timestamps((toTheSecond, fraction) => `${toTheSecond}.${fraction.slice(1).padEnd(12, "0")}+00:00`),
  },
  {
    kind: "variant",
    name: "timestamps-in-whole-seconds",
    summary: "Timestamps have no fractional seconds (W8).",
    touches: content,
    response: timestamps((toTheSecond) => `${toTheSecond}Z`),
  },

  // JSON text.
  {
    kind: "variant",
    name: "members-in-reverse",
    summary: "The members of every object come in the opposite order.",
    touches: ["text"],
    response: (_endpoint, json) =>
      deeply(json, (value) => (isObject(value) ? Object.fromEntries(Object.entries(value).reverse()) : value)),
  },
  {
    kind: "variant",
    name: "json-indented",
    summary: "JSON is written over several lines, with a line break at its end.",
    touches: ["text", ...content],
    ...rewritten((text) => `${JSON.stringify(JSON.parse(text), null, "\t")}\r\n`),
  },
  {
    kind: "variant",
    name: "json-escaped",
    summary: "Every string in JSON, names included, starts with an escape sequence.",
    touches: ["text"],
    ...rewritten(escaped),
  },

  // HTTP.
  {
    kind: "variant",
    name: "content-type-with-charset",
    summary: "The content type has a parameter, and capitals (W9).",
    touches: ["http"],
    http: wrapped((reply) =>
      isJson(reply) ? withHeaders(reply, { "content-type": "Application/JSON; charset=utf-8" }) : reply,
    ),
    streamHeaders: (headers) => headers.set("content-type", "application/connect+json; charset=utf-8"),
  },
  {
    kind: "variant",
    name: "answers-with-gzip",
    summary: "Answers are compressed with gzip.",
    touches: ["http"],
    http: wrapped((reply) => withHeaders({ ...reply, body: gzipSync(reply.body) }, { "content-encoding": "gzip" })),
  },
  {
    kind: "variant",
    name: "answers-with-deflate",
    summary: "Answers are compressed with deflate.",
    touches: ["http"],
    http: wrapped((reply) =>
      withHeaders({ ...reply, body: deflateSync(reply.body) }, { "content-encoding": "deflate" }),
    ),
  },
  {
    kind: "variant",
    name: "answers-in-chunks",
    summary: "Answers come in chunks of 3,000 bytes, so that characters and names are cut in two.",
    touches: ["http"],
    http: wrapped((reply) => ({ ...reply, delivery: { chunks: 3_000 } })),
  },
  {
    kind: "variant",
    name: "connections-closed",
    summary: "The server closes the connection after each answer.",
    touches: ["http"],
    http: wrapped((reply) => withHeaders(reply, { connection: "close" })),
  },
  {
    kind: "variant",
    name: "success-is-created",
    summary: "Successes have the status 201 (E2).",
    touches: ["http"],
    http: wrapped((reply) => (reply.status === 200 ? { ...reply, status: 201 } : reply)),
  },

  // Errors and protocol.
  {
    kind: "variant",
    name: "errors-with-details",
    summary: "Errors carry details and members of the server's own (E2).",
    touches: ["errors", ...refusalKinds],
    error: (_endpoint, error) => ({
      ...error,
      json: {
        trace: "4f1c",
        ...error.json,
        details: [{ type: "google.rpc.ErrorInfo", value: "CgA" }],
        retryable: false,
      },
    }),
  },
  {
    kind: "variant",
    name: "errors-with-status-200",
    summary: "Errors have the status 200, as their shape tells them from successes (E2, E3).",
    touches: ["errors", ...refusalKinds],
    error: (_endpoint, error) => ({ ...error, status: 200 }),
  },
  {
    kind: "variant",
    name: "errors-with-status-422",
    summary: "Errors of every code have the status 422, and an empty message (E3).",
    touches: ["errors", ...refusalKinds],
    error: (_endpoint, error) => ({ status: 422, json: { ...error.json, message: "" } }),
  },
  {
    kind: "variant",
    name: "errors-with-status-503",
    summary: "Errors of every code have the status 503, with the code last (E3).",
    touches: ["errors", ...refusalKinds],
    error: (_endpoint, { json: { code, ...rest } }) => ({ status: 503, json: { ...rest, code } }),
  },
  {
    kind: "variant",
    name: "http-errors-as-html",
    summary: "What is no POST, or has another content type, is refused with an HTML page (H4).",
    touches: ["protocol"],
    intercept: ({ method, headers }) => {
      const status = method !== "POST" ? 405 : headers.get("content-type")?.includes("json") ? undefined : 415;
      return status && { status, headers: htmlHeaders, body: Buffer.from(`<html><h1>${status}</h1></html>`) };
    },
  },
  {
    kind: "variant",
    name: "other-versions-refused",
    summary: "A Connect-Protocol-Version other than 1 is refused (H1).",
    touches: ["protocol"],
    intercept: ({ headers }) =>
      (headers.get("connect-protocol-version") ?? "1") === "1"
        ? undefined
        : jsonReply(400, { code: "invalid_argument", message: "unsupported protocol version" }),
  },
];
