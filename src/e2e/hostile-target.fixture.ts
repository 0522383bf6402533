import type { HostileServer } from "../connect/hostile-server.fixture.js";
import { startReferenceServer } from "../reference/server.js";
import { type Endpoint, endpointNames, endpoints } from "../specification/endpoints.js";
import { type Behaviour, frontOf } from "./misbehaving.fixture.js";

/** Which requests are answered in another way. */
export interface HostileTargetOptions {
  /** What is done with the answers of an operation, if anything. */
  readonly behaves: (endpoint: Endpoint | undefined) => Behaviour | undefined;
  /** Whether it is done in discovery as well. By default its requests are served, so that there is something to check. */
  readonly discoveryToo?: boolean;
  /** Only from this request on, counted from 1. */
  readonly from?: number;
}

/** The reference server behind something that misbehaves on the wire. */
export async function hostileTarget({
  behaves,
  discoveryToo = false,
  from = 1,
}: HostileTargetOptions): Promise<HostileServer> {
  const reference = await startReferenceServer({ orders: 120 });
  let count = 0;
  const front = await frontOf(reference.port, ({ head }) => {
    const [, path = "/"] = head.split(" ");
    const endpoint = endpointNames.find((name) => endpoints[name].path === path);
    const isServed = !discoveryToo && /^x-conformance-check: discovery\r?$/im.test(head);
    return { path, count: ++count, behaviour: isServed || count < from ? undefined : behaves(endpoint) };
  });
  return {
    ...front,
    async [Symbol.asyncDispose]() {
      await front[Symbol.asyncDispose]();
      await reference.close();
    },
  };
}
