import { type JsonObjectInput, stringify } from "../connect/json.js";
import { isEmptySuccess, noAnswerInWords } from "../judge/whole-answer.js";
import { type Endpoint, endpointNames } from "../specification/endpoints.js";
import type { DiscoveryClient, DiscoveryReply } from "./discovery-client.js";
import { documentedErrors, simpleRequest, walletRequest } from "./requests.js";
import type { BrokenOperation, Subjects } from "./subjects.js";

/** What one answer says about whether the operation exists (§7, rulings on the conclusion of a run). */
type Sign =
  /** A success, a stream, or a refusal that only the operation itself can give. */
  | "works"
  | "unimplemented"
  /** No answer in time, or a throttled one: nothing is known. */
  | "silent"
  /** An answer that the text allows for the request, but that a server without the operation may give as well. */
  | "open"
  | "undocumented";

/** A request that shows whether its operation exists. */
export interface ProbeRequest {
  readonly request: JsonObjectInput;
  /** Whether `not_found` would be undocumented: the request names only what is known to exist, or nothing at all. */
  readonly known: boolean;
}

/**
 * Finds the operations that do not work: `unimplemented` in every answer, or *absent*, with neither a success nor a
 * documented refusal. Operations without a success so far are tried again, with a known subject and with a request that they
 * must refuse.
 */
export async function brokenOperations(
  client: DiscoveryClient,
  subjects: Subjects,
): Promise<readonly BrokenOperation[]> {
  const found = await Promise.all(endpointNames.map((operation) => examine(client, operation, subjects)));
  return found.filter((broken) => broken !== undefined);
}

/** What an absent operation answers: neither a success nor a documented refusal. Undefined for any other operation. */
export function absentOperation({ broken }: Pick<Subjects, "broken">, endpoint: Endpoint): BrokenOperation | undefined {
  return broken.find(({ operation, kind }) => operation === endpoint && kind === "absent");
}

async function examine(
  client: DiscoveryClient,
  operation: Endpoint,
  subjects: Subjects,
): Promise<BrokenOperation | undefined> {
  const earlier = client.repliesOf(operation).map((reply) => signOf(operation, reply, false));
  if (earlier.includes("works")) return undefined;
  const asked = await Promise.all(
    probesOf(operation, subjects).map(async ({ request, known }) => {
      const reply = await client.probe(operation, request);
      return { reply, sign: signOf(operation, reply, known) };
    }),
  );
  const all = [...earlier, ...asked.map(({ sign }) => sign)];
  if (all.some((sign) => sign === "works" || sign === "silent")) return undefined;
  const decisive = asked.find(({ sign }) => sign === "undocumented") ?? asked.find(({ sign }) => sign !== "open");
  if (decisive === undefined) return undefined;
  const kind = all.every((sign) => sign === "unimplemented") ? "unimplemented" : "absent";
  return { operation, kind, answered: replyInWords(decisive.reply) };
}

/** An ordinary request and, if the text documents one, a request that must be refused with `invalid_argument`. */
export function probesOf(operation: Endpoint, subjects: Subjects): readonly ProbeRequest[] {
  const wallet = subjects.wallets.find(({ provenance }) => provenance !== undefined);
  const onWallet = operation === "GetPortfolio" || operation === "GetOpenPositionsStreaming";
  const usual = onWallet && wallet ? walletRequest(operation, wallet.address) : simpleRequest(operation, subjects);
  // One operation may know a market that another does not, so `not_found` proves nothing here; the refused request decides.
  const known = onWallet ? wallet !== undefined : operation === "GetAllOrders" || operation === "GetAllPositions";
  const refused = documentedErrors(operation, subjects).filter(({ code }) => code === "invalid_argument");
  return [{ request: usual, known }, ...refused.slice(0, 1).map(({ request }) => ({ request, known: true }))];
}

/** @param known whether neither `not_found` nor an empty success is documented for the request */
function signOf(operation: Endpoint, { isStream, outcome, throttled }: DiscoveryReply, known: boolean): Sign {
  if (throttled) return "silent";
  switch (outcome.kind) {
    case "success":
      // A server that answers `{}` to everything shows nothing.
      if (!isEmptySuccess(operation, outcome.body)) return "works";
      return known ? "undocumented" : "open";
    case "sample":
      return "works";
    case "error":
      if (outcome.code === "unimplemented") return "unimplemented";
      if (outcome.code === "invalid_argument") return "works";
      return outcome.code === "not_found" && !known ? "open" : "undocumented";
    case "malformed":
      // A stream with faulty envelopes exists; the faults are left to the rules on envelopes.
      return isStream ? "works" : "undocumented";
    case "failure":
      return outcome.failure === "reset" || outcome.failure === "protocol" ? "undocumented" : "silent";
  }
}

/** An answer in a few words: `not_found: no such path (HTTP 404)`. */
export function replyInWords({ outcome, status }: DiscoveryReply): string {
  const withStatus = status === undefined ? "" : ` (HTTP ${status})`;
  switch (outcome.kind) {
    case "success":
    case "sample":
      return `${excerpt(stringify(outcome.body))}${withStatus}, which is not a documented answer`;
    case "error":
      return `${outcome.code}: ${outcome.message}${withStatus}`;
    default:
      return noAnswerInWords(outcome);
  }
}

const excerptLength = 80;

function excerpt(text: string): string {
  return text.length <= excerptLength ? text : `${text.slice(0, excerptLength)}…`;
}
