import type { HandlerContext } from "@connectrpc/connect";
import { applyNetworkDelay, type Call, callOf } from "../call.js";
import type { Interceptors, RowInterceptors } from "../modification.js";
import type { Parameters } from "../parameters.js";
import type { NetworkDelay } from "../schedule.js";

/** What the services are created from. */
export interface ServiceOptions {
  readonly parameters: Parameters;
  readonly rows: RowInterceptors;
  readonly schedule: Interceptors["schedule"];
  readonly delay: NetworkDelay;
}

/** Wraps a unary handler: refuses what the decoder should have refused, and applies the network delay and deadline. */
export function unary<Request, Response>(
  options: ServiceOptions,
  handle: (request: Request, call: Call) => Response,
): (request: Request, context: HandlerContext) => Promise<Response> {
  return async (request, context) => {
    const call = callOf(context);
    await applyNetworkDelay(options.delay, call, context.signal);
    context.signal.throwIfAborted();
    if (call.refusal !== undefined) throw call.refusal;
    return handle(request, call);
  };
}
