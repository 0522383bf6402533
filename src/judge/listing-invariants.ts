import { isJsonObject } from "../connect/json.js";
import type { RuleId } from "../specification/catalogue/index.js";
import type { PagedEndpoint } from "../specification/endpoints.js";
import { pageLimitMax } from "../specification/limits.js";
import { type Invariant, onBody } from "./invariant.js";
import { type Judgement, judgeThat, nothingSeen } from "./judgement.js";
import { newestFirst } from "./ordering.js";
import { type Page, pageOf, stableEnd } from "./page.js";
import {
  atMostLimit,
  emptyBeyondEnd,
  fullPage,
  isLastPage,
  pageOfSize,
  paginationLimitIs,
  paginationOffsetIs,
  someRows,
  totalForm,
  totalIsWhereRowsEnd,
} from "./paging.js";
import type { ParsedRequest } from "./parsed-request.js";
import { ordersOf, positionsOf } from "./read.js";

type Prefix = "get-all-positions" | "get-all-orders";

/** The invariants that both listings share (§2 PaginationInfo, §4.1, §4.3). */
export function listingInvariants(endpoint: PagedEndpoint, prefix: Prefix): readonly Invariant[] {
  const isOfOrders = endpoint === "GetAllOrders";
  const formOfTotal = isOfOrders ? "pagination.total-count-decimal-string" : "pagination.total-count-integer";
  const present = { path: "pagination", expected: "a pagination object", seen: "nothing" };
  return [
    onBody(endpoint, "pagination.present", ({ pagination }) => judgeThat(isJsonObject(pagination), present)),
    ...limitInvariants(endpoint, prefix),
    ...offsetInvariants(endpoint, prefix),
    onPage(
      endpoint,
      "pagination.total-count",
      (page, asked) =>
        hasUsableLimit(asked) || isLastPage(page, asked)
          ? totalIsWhereRowsEnd(page, asked)
          : nothingSeen("a page on which the listing ends"),
      whileStable(endpoint),
    ),
    onBody(endpoint, formOfTotal, (body) => totalForm(endpoint, body)),
    onBody(
      endpoint,
      `${prefix}.sorted-by-timestamp`,
      (body) => (isOfOrders ? newestFirst("orders", ordersOf(body)) : newestFirst("positions", positionsOf(body))),
      { ofAnyRows: true },
    ),
  ];
}

/** The effective page size, by what a request says of its limit. */
function limitInvariants(endpoint: PagedEndpoint, prefix: Prefix): readonly Invariant[] {
  const sized = (rule: RuleId, where: NonNullable<Invariant["where"]>, why: string) => [
    onPage(endpoint, rule, (page, asked) => pageOfSize(page, asked, why), {
      where,
      // If a request without a limit is refused, the cause is something other than its limit.
      ...(!rule.endsWith("default") && { answered: true }),
      ...whileStable(endpoint),
    }),
    onPage(endpoint, rule, atMostLimit, { where }),
  ];
  const isAboveCap = ({ limit = 0 }: ParsedRequest) => limit > pageLimitMax;
  const where = hasUsableLimit;
  return [
    ...sized(`${prefix}.limit-default`, ({ limit }) => limit === undefined, "the default"),
    ...sized(`${prefix}.limit-zero`, ({ limit }) => limit === 0, "zero is an omitted limit"),
    ...sized(`${prefix}.limit-cap`, isAboveCap, "the cap"),
    onPage(endpoint, `${prefix}.limit-cap`, (page, { offset = 0 }) => someRows(page, offset), { where: isAboveCap }),
    onPage(endpoint, "pagination.limit", (page, { limit = 0 }) => paginationLimitIs(page, limit, "as requested"), {
      where,
    }),
    onPage(endpoint, "pagination.row-count", atMostLimit, { where }),
    onPage(endpoint, "pagination.row-count", fullPage, { where, ...whileStable(endpoint) }),
  ];
}

/** How many rows are skipped, and what lies beyond the end. */
function offsetInvariants(endpoint: PagedEndpoint, prefix: Prefix): readonly Invariant[] {
  const isFirst = ({ offset = 0 }: ParsedRequest) => offset === 0;
  const isLater = ({ offset = 0 }: ParsedRequest) => offset > 0;
  const offsetWithin: PageJudge = (page, { offset = 0 }) =>
    offset > (page.pagination?.totalCount ?? offset)
      ? nothingSeen("an offset within the listing")
      : paginationOffsetIs(page, offset);
  return [
    onPage(endpoint, `${prefix}.offset-default`, (page) => paginationOffsetIs(page, 0), { where: isFirst }),
    onPage(endpoint, "pagination.offset", offsetWithin, { where: isLater }),
    onBody(
      endpoint,
      "pagination.offset-beyond-end",
      (body, { asked: { offset = 0 }, readings }) => emptyBeyondEnd(pageOf(endpoint, body), offset, readings.P6),
      { where: isLater, answered: true },
    ),
  ];
}

type PageJudge = (page: Page, asked: ParsedRequest) => Judgement;

/** An invariant on the page in an answer. */
function onPage(
  endpoint: PagedEndpoint,
  rule: RuleId,
  judge: PageJudge,
  more: Parameters<typeof onBody>[3],
): Invariant {
  return onBody(endpoint, rule, (body, { asked }) => judge(pageOf(endpoint, body), asked), more);
}

function whileStable(endpoint: PagedEndpoint): Pick<Invariant, "stable"> {
  return { stable: (body) => stableEnd(pageOf(endpoint, body)) };
}

/** Whether a request names a limit that is neither a default nor above the cap. */
function hasUsableLimit({ limit = 0 }: ParsedRequest): boolean {
  return limit > 0 && limit <= pageLimitMax;
}
