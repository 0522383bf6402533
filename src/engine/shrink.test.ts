import { describe, expect, test } from "vitest";
import type { PlannedRequest } from "../exploration/planned-request.js";
import type { Subjects } from "../subjects/subjects.js";
import { neededInWords, shrink } from "./shrink.js";

const market = { marketId: "1" };
const symbols = { assetSymbol: "BTC", quoteSymbol: "USD" };

const fieldsOf = ({ body }: PlannedRequest) => Object.keys(body).filter((name) => body[name] !== undefined);

/** The fields of the smallest request, and those that it needs, if a request is judged by its fields. */
async function shrunk(
  body: PlannedRequest["body"],
  judge: (fields: readonly string[]) => boolean | undefined,
  kept?: string,
) {
  const attempt = async (planned: PlannedRequest) => {
    const shows = judge(fieldsOf(planned));
    return shows ? { planned } : shows === false ? ("correct" as const) : undefined;
  };
  const subjects = { markets: [{ marketId: "1", symbols }] } as unknown as Subjects;
  const shrinking = { endpoint: "GetOrderBook", subjects, kept } as const;
  const { smallest, neededFields } = await shrink({ planned: { body, headers: {} } }, shrinking, attempt);
  return { fields: fieldsOf(smallest.planned), neededFields, body: smallest.planned.body };
}

describe("a request is shrunk", () => {
  test("to the fields without which the finding does not show", async () => {
    const body = { market, sizeInUsd: true, levels: 3, offset: 2, limit: 7 };
    const judge = (fields: readonly string[]) => fields.includes("sizeInUsd") && fields.includes("offset");
    expect(await shrunk(body, judge)).toMatchObject({
      fields: ["market", "sizeInUsd", "offset"],
      neededFields: ["sizeInUsd", "offset"],
    });
  });

  test("and tells nothing of a field without which the answer cannot be judged", async () => {
    const judge = (fields: readonly string[]) => (fields.includes("offset") ? true : undefined);
    expect(await shrunk({ market, offset: 2 }, judge)).toMatchObject({
      fields: ["market", "offset"],
      neededFields: [],
    });
  });

  test("and keeps an invalid field as it is", async () => {
    const bySymbols = { marketSymbol: symbols };
    expect((await shrunk({ market: bySymbols, offset: 2 }, () => true)).body).toEqual({ market });
    expect((await shrunk({ market: bySymbols, offset: 2 }, () => true, "market")).body).toEqual({ market: bySymbols });
  });
});

test("the fields that a finding needs are named in words", () => {
  expect(neededInWords([])).toBeUndefined();
  expect(neededInWords(["levels"])).toBe("shows only with levels: without it, the same request was answered correctly");
  expect(neededInWords(["levels", "offset"])).toContain("levels and offset: without one of them,");
});
