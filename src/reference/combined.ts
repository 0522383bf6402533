import { isObject } from "./json.js";
import { type Interceptors, type RowInterceptors, SubstituteResponse, type Variant } from "./modification.js";

/** Separates the names of combined variants. */
const separator = " + ";

/** The variant names in a combined name. */
export function namesIn(name: string): readonly string[] {
  return name.split(separator);
}

/** Combines several variants into one. They must not touch the same aspects (`Variant.touches`). */
export function combined(variants: readonly Variant[]): Variant {
  const names = variants.map(({ name }) => name).join(separator);
  const summaries = variants.map(({ summary }) => summary).join(" ");
  return { ...variants.reduce(both), name: names, summary: summaries };
}

/** Merges two variants: each interceptor of `b` receives the result of `a`. */
function both(a: Variant, b: Variant): Variant {
  const interceptors: Interceptors = {
    ...a,
    ...b,
    parameters: { ...a.parameters, ...b.parameters },
    ...(a.rows && b.rows && { rows: bothRows(a.rows, b.rows) }),
    ...inTurn(a.dataset, b.dataset, (one, other) => ({ dataset: (data) => other(one(data)) })),
    ...inTurn(a.intercept, b.intercept, (one, other) => ({
      intercept: (...args) => one(...args) ?? other(...args),
    })),
    ...inTurn(a.schedule, b.schedule, (one, other) => ({ schedule: (...args) => one(...args) ?? other(...args) })),
    ...inTurn(a.body, b.body, (one, other) => ({
      body(endpoint, payload) {
        const changed = one(endpoint, payload);
        return other(endpoint, changed ?? payload) ?? changed;
      },
    })),
    ...inTurn(a.request, b.request, (one, other) => ({
      request(endpoint, json, context) {
        const changed = one(endpoint, json, context);
        return changed instanceof SubstituteResponse ? changed : (other(endpoint, changed ?? json, context) ?? changed);
      },
    })),
    ...inTurn(a.response, b.response, (one, other) => ({
      response(endpoint, json, context) {
        const changed = one(endpoint, json, context) ?? json;
        return isObject(changed) ? (other(endpoint, changed, context) ?? changed) : changed;
      },
    })),
    ...inTurn(a.error, b.error, (one, other) => ({
      error(endpoint, error, context) {
        const changed = one(endpoint, error, context) ?? error;
        return "body" in changed ? changed : (other(endpoint, changed, context) ?? changed);
      },
    })),
    ...inTurn(a.http, b.http, (one, other) => ({
      http(endpoint, reply, context) {
        const changed = one(endpoint, reply, context) ?? reply;
        return other(endpoint, changed, context) ?? changed;
      },
    })),
  };
  return { ...a, ...interceptors };
}

/** Merges row interceptors. */
function bothRows(a: RowInterceptors, b: RowInterceptors): RowInterceptors {
  const { orders, positions } = a;
  return {
    ...a,
    ...b,
    ...inTurn(orders, b.orders, (one, other) => ({
      orders: (endpoint, rows, context) => other(endpoint, one(endpoint, rows, context), context),
    })),
    ...inTurn(positions, b.positions, (one, other) => ({
      positions: (endpoint, rows, context) => other(endpoint, one(endpoint, rows, context), context),
    })),
  };
}

/** Composes two interceptors; undefined unless both exist. */
function inTurn<Interceptor, Both extends object>(
  one: Interceptor | undefined,
  other: Interceptor | undefined,
  make: (one: Interceptor, other: Interceptor) => Both,
): Both | undefined {
  return one !== undefined && other !== undefined ? make(one, other) : undefined;
}
