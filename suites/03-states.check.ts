import { suite } from "../src/engine/define.js";
import { presentIfAllValuesOccur } from "../src/judge/omitted-enums.js";
import { ordersOf, positionsOf } from "../src/judge/read.js";
import { positionChanges, statusChanges, statusesSeen } from "../src/judge/transitions.js";
import { judgeWireRule } from "../src/judge/wire-rule.js";
import { orderEndpoints } from "../src/specification/endpoints.js";
import { pageLimitMax } from "../src/specification/limits.js";
import { walletOfSize } from "./support/listings.js";
import { answersOf } from "./support/resources.js";

export default suite("§3 States and transitions", ({ check, observe }) => {
  // Order status (OrderStatus)
  for (const on of orderEndpoints) {
    check("states.order-status-values", { on }, async (context) => {
      const answers = await answersOf(context, on);
      const bodies = answers.map((answer) => context.bodyOf(answer));
      for (const answer of answers) {
        context.verify(answer).satisfies((body) => judgeWireRule("states.order-status-values", on, body));
        context.verify(answer).satisfies((body) => presentIfAllValuesOccur("status", bodies, body));
      }
    });
  }

  // Transitions: not shown.
  observe("states.order-transitions", { on: "GetAllOrders" }, async ({ call, bodyOf, record, shared }) => {
    const before = ordersOf(bodyOf(await shared("GetAllOrders", { limit: pageLimitMax })));
    const after = ordersOf(bodyOf(await call.getAllOrders({ limit: 100 })));
    record("statuses of the newest orders", statusesSeen(before));
    record("changes between two readings", statusChanges(before, after));
  });

  observe("states.order-transitions", { on: "GetOrders" }, async (context) => {
    const { call, bodyOf, record } = context;
    const { address } = walletOfSize(context, 100);
    const before = ordersOf(bodyOf(await call.getOrders({ address })));
    const after = ordersOf(bodyOf(await call.getOrders({ address })));
    record("statuses of a wallet's orders", statusesSeen(before));
    record("changes between two readings", statusChanges(before, after));
  });

  // Positions are either open or closed. Position lifecycle transitions: not shown.
  observe("states.position-transitions", { on: "GetAllPositions" }, async ({ record, subjects }) => {
    const count = (state: string) => subjects.positions.filter((position) => position.state === state).length;
    record(
      "positions that were found",
      `${count("open")} open, ${count("closed")} closed, ${count("unknown")} unknown`,
    );
  });

  observe(
    "states.position-transitions",
    { on: "GetOpenPositionsStreaming" },
    async ({ bodyOf, listen, record, subject }) => {
      const { address } = subject("walletWithOpenPositions");
      const { messages } = bodyOf(await listen({ address, updateIntervalMs: 100 }, { messages: 3, ms: 3000 }));
      const [first, last] = [messages[0], messages.at(-1)];
      if (first && last)
        record("between two messages", positionChanges(positionsOf(first.body), positionsOf(last.body)));
    },
  );
});
