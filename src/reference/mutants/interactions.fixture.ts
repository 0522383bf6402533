import { afterAll, beforeAll, expect, test } from "vitest";
import type { UnaryEndpoint } from "../../specification/endpoints.js";
import type { Dataset } from "../dataset/dataset.js";
import { defaultOrders, sharedDataset } from "../dataset/generate.js";
import type { Market, Wallet } from "../dataset/model.js";
import type { Mutant } from "../modification.js";
import { type ReferenceServer, startReferenceServer } from "../server.js";
import { ask } from "../test-client.fixture.js";

/** A request: its body, as JSON text where the notation of a number matters, and headers besides the content type. */
export interface RequestSpec {
  /** The operation, when it is not that of the example. */
  readonly endpoint?: UnaryEndpoint;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

/** A request that shows what a mutant does wrong, and one beside it that does not. */
export interface InteractionExample {
  readonly endpoint: UnaryEndpoint;
  readonly shows: RequestSpec;
  readonly hides: RequestSpec;
}

/** The data of the servers under test. */
export const data: Dataset = sharedDataset(1, defaultOrders);

/** Books and portfolios carry the time of the answer. */
const clock = { now: () => Date.UTC(2025, 8, 1) };

/** Starts a server with the data that tests are written for. */
export function serve(mutant?: Mutant): Promise<ReferenceServer> {
  return startReferenceServer({ clock, ...(mutant && { modification: mutant }) });
}

/** Tests that each mutant differs from the reference server on one request and not on the one beside it. */
export function testInteractions(
  mutants: readonly Mutant[],
  examples: Readonly<Record<string, InteractionExample>>,
): void {
  let reference: ReferenceServer;
  beforeAll(async () => {
    reference = await serve();
  });
  afterAll(() => reference.close());

  test("each mutant has its requests", () => {
    expect(Object.keys(examples).sort()).toEqual(mutants.map(({ name }) => name).sort());
  });

  test.each(mutants)("$name", async (mutant) => {
    const server = await serve(mutant);
    try {
      const { endpoint, shows, hides } = examples[mutant.name] as InteractionExample;
      const askFor = (target: ReferenceServer, asked: RequestSpec) => answer(target, { endpoint, ...asked });
      expect(await askFor(server, hides)).toEqual(await askFor(reference, hides));
      expect(await askFor(server, shows)).not.toEqual(await askFor(reference, shows));
    } finally {
      await server.close();
    }
  });
}

/** What is compared of an answer: JSON by value, since a mutant's answer is rewritten. */
async function answer(
  server: ReferenceServer,
  { endpoint, body, headers = {} }: Required<Pick<RequestSpec, "endpoint">> & RequestSpec,
) {
  const { status, json } = await ask(server, endpoint, body, { headers });
  return { status, json };
}

/** A request with Connect-Protocol-Version. */
export const version = { "connect-protocol-version": "1" };

/** A request with a timeout that does not elapse. */
export const timeout = { "connect-timeout-ms": "30000" };

/** The wallet that stands at a place when those with most orders come first, from 0. */
export function walletAt(place: number): Wallet {
  const wallet = [...data.wallets.values()].sort((a, b) => b.orders.length - a.orders.length)[place];
  if (wallet === undefined) throw new Error("there are not so many wallets");
  return wallet;
}

/** The address in capitals. */
export function capitals({ address }: Pick<Wallet, "address">): string {
  return `0x${address.slice(2).toUpperCase()}`;
}

/** The address with whitespace around it. */
export function withWhitespace(address: string): string {
  return ` ${address}\t`;
}

/** The address with another last digit. */
export function neighbour({ address }: Pick<Wallet, "address">): string {
  return address.slice(0, -1) + (address.endsWith("0") ? "1" : "0");
}

/** The selector of a market by its id. */
export function selectorById({ id }: Market): { marketId: string } {
  return { marketId: String(id) };
}

/** The selector of a market by its symbols. */
export function bySymbols({ assetSymbol, quoteSymbol }: Market): { marketSymbol: object } {
  return { marketSymbol: { assetSymbol, quoteSymbol } };
}

/** The markets in the order in which they were created, but the last one, whose metadata is gone. */
export const [btc, eth, sol, doge, gold, nikkei, eur, pepe] = [...data.markets.values()] as unknown as readonly [
  Market,
  Market,
  Market,
  Market,
  Market,
  Market,
  Market,
  Market,
  Market,
];
