import { rawJson } from "../src/connect/json.js";
import { suite } from "../src/engine/define.js";
import { wellFormedEnvelopes } from "../src/judge/snapshots.js";
import { endInWords } from "../src/judge/watched-stream.js";
import { measureStream } from "./support/measuring.js";
import { watchedAddress } from "./support/streams.js";

export default suite("§6 Events", ({ check, observe }) => {
  // The only push mechanism is GetOpenPositionsStreaming (Connect server streaming, usable from Connect-capable clients,
  check("events.envelope", async (context) => {
    const { listen, verify } = context;
    const request = { address: watchedAddress(context), updateIntervalMs: 100 };
    const answer = await measureStream(() => listen(request, { messages: 6, ms: 5_000 }));
    verify(answer).satisfies(wellFormedEnvelopes(answer.exchange.frames ?? []));
  });

  // not from plain request/response explorers).
  observe("events.plain-request", async (context) => {
    const plain = { headers: { "Content-Type": "application/json" } };
    const answer = await context.listen({ address: watchedAddress(context) }, { messages: 1, ms: 1_500 }, plain);
    context.record("a plain JSON request", answer);
  });

  // Error or end-of-stream behavior inside a stream: not shown.
  observe("events.end-of-stream", async (context) => {
    const { listen, record } = context;
    const until = { messages: 20, ms: 1_500 };
    record("a body that is no JSON", await listen(rawJson("{"), until));
    record("an object for an address", await listen({ address: {} }, until));
    const request = { address: watchedAddress(context), updateIntervalMs: 100 };
    const deadline = await listen(request, until, { headers: { "Connect-Timeout-Ms": "350" } });
    record("a deadline of 350 ms that elapses", deadline, endInWords);
  });
});
