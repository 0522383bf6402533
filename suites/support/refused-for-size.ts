import type { Answer } from "../../src/engine/answer.js";
import type { CheckContext } from "../../src/engine/context.js";
import { fewestOrdersFirst, orderCountOf } from "../../src/subjects/select.js";

/** How often a list must be refused while a short one is answered. Each refusal comes after the usual retries. */
const refusalsAtLeast = 3;

/**
 * A wallet's list of orders. A target that repeatedly refuses it by asking for fewer requests, but answers another wallet's
 * short list in between, refuses it for its size: its answer then counts as an error like any other.
 */
export async function answerBesideShortList(context: CheckContext, address: string): Promise<Answer> {
  const { call, required, shared, subjects, verify } = context;
  let answer = await shared("GetOrders", { address });
  if (!answer.exchange.throttled) return answer;
  const others = subjects.wallets.filter((wallet) => wallet.address !== address && orderCountOf(wallet) > 0);
  const short = required(others.sort(fewestOrdersFirst)[0], "needs a second wallet with orders");
  for (let refusals = 1; answer.exchange.throttled; refusals++) {
    verify(await call.getOrders({ address: short.address })).succeeds();
    if (refusals === refusalsAtLeast) return asError(answer);
    answer = await call.getOrders({ address });
  }
  return answer;
}

/** An answer without the mark that the target asked for fewer requests. */
function asError(answer: Answer): Answer {
  const { throttled: _, ...exchange } = answer.exchange;
  return { ...answer, exchange };
}
