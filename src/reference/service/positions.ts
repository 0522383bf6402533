import { create, toJsonString } from "@bufbuild/protobuf";
import { ConnectError, type HandlerContext, type ServiceImpl } from "@connectrpc/connect";
import { type Call, callOf } from "../call.js";
import type { PositionRecord } from "../dataset/model.js";
import {
  GetAllPositionsResponseSchema,
  type GetOpenPositionsStreamingRequest,
  type GetOpenPositionsStreamingResponse,
  GetOpenPositionsStreamingResponseSchema,
  PaginationInfoSchema,
  type PositionService,
} from "../gen/position_service/v1/position_service_pb.js";
import { positionMessage, streamPositionMessage } from "../messages.js";
import { listText, positionText, streamPositionText } from "../row-text.js";
import { everyInterval, ticks } from "../schedule.js";
import { type ServiceOptions, unary } from "./unary.js";

/** Paged positions of all wallets, and a stream of one wallet's open positions (§4.1, §4.2). */
export function positionService(options: ServiceOptions): ServiceImpl<typeof PositionService> {
  const { parameters, rows } = options;
  return {
    getAllPositions: unary(options, (request, call) => {
      const endpoint = "GetAllPositions";
      const limit = parameters.pageLimit(endpoint, request.limit);
      const offset = parameters.pageOffset(endpoint, request.offset);
      call.effective = { limit, offset };
      const { dataset } = call;
      const all = rows.positions?.(endpoint, dataset.positions, call) ?? dataset.positions;
      const page = all.slice(offset, offset + limit);
      const pagination = create(PaginationInfoSchema, { limit, offset, totalCount: all.length });
      if (call.takesText) {
        const rows = page.map((position) => positionText(dataset, position));
        call.text = listText("positions", rows, toJsonString(PaginationInfoSchema, pagination));
        return create(GetAllPositionsResponseSchema);
      }
      const positions = page.map((position) => positionMessage(dataset, position));
      return create(GetAllPositionsResponseSchema, { positions, pagination });
    }),

    getOpenPositionsStreaming: (request, context) => openPositions(options, request, context),
  };
}

async function* openPositions(
  options: ServiceOptions,
  request: GetOpenPositionsStreamingRequest,
  context: HandlerContext,
): AsyncGenerator<GetOpenPositionsStreamingResponse> {
  const endpoint = "GetOpenPositionsStreaming";
  const call = callOf(context);
  if (call.refusal !== undefined) throw call.refusal;
  const address = options.parameters.address(endpoint, request.address);
  const requestedMs = request.updateIntervalMs;
  const effectiveMs = options.parameters.streamInterval(requestedMs);
  call.effective = { address, intervalMs: effectiveMs };
  const schedule = { ...everyInterval(effectiveMs), ...options.schedule?.({ requestedMs, effectiveMs }, call) };

  let last: string | undefined;
  for await (const _tick of ticks(schedule, options.delay, context.signal)) {
    const { dataset } = call;
    const entries = snapshot(options, address, call);
    const text = listText(
      "positions",
      entries.map((position) => streamPositionText(dataset, position)),
    );
    if (schedule.skipUnchanged && text === last) continue;
    last = text;
    if (call.takesText) call.text = text;
    const positions = call.takesText ? [] : entries.map((position) => streamPositionMessage(dataset, position));
    yield create(GetOpenPositionsStreamingResponseSchema, { positions });
    call.messageIndex++;
  }
  // The client disconnected or its deadline passed; Connect distinguishes them by the signal's reason.
  context.signal.throwIfAborted();
  call.ending = schedule.ending;
  if (typeof schedule.ending === "object") throw new ConnectError(schedule.ending.message, schedule.ending.code);
}

/** All current open positions of a wallet, never a diff (T4). */
function snapshot({ rows }: ServiceOptions, address: string, call: Call): readonly PositionRecord[] {
  const open = call.dataset.wallets.get(address)?.positions.filter((position) => position.open) ?? [];
  return rows.positions?.("GetOpenPositionsStreaming", open, call) ?? open;
}
