import { expect, test } from "vitest";
import { endStreamFlag } from "../connect/envelope.js";
import { exchangeOf } from "../engine/answers.fixture.js";
import { answerHtml, outcomeInWords } from "./exchange-html.js";

/** A stream with 20 messages and its end. */
const stream = {
  ...exchangeOf(""),
  ended: "end-frame" as const,
  frames: [
    ...Array.from({ length: 20 }, (_, index) => ({
      at: index * 100,
      flags: 0,
      data: `{"positions":[{"owner":"0x${index}"},{"owner":"0xother"}]}`,
    })),
    { at: 2_000, flags: endStreamFlag, data: "{}" },
  ],
};

test("shows the messages around the one with a violation, with its place marked", () => {
  const page = answerHtml(stream, ["/messages/12/positions/0/owner"]);
  expect(page).toMatch(/<mark>[^/]*0x12[^/]*<\/mark>/);
  expect(page.match(/<mark>/g)).toHaveLength(1);
  expect([...page.matchAll(/>messages\[(\d+)\], after/g)].map(([, number]) => Number(number))).toEqual([
    11, 12, 13, 14,
  ]);
  expect(page).toContain("messages[12], after 1.200 s");
});

test("shows the first messages if none has a marked place", () => {
  const page = answerHtml(stream, ["/frames/3"]);
  expect(page).toContain("messages[0], after 0.000 s");
  expect(page).not.toContain("<mark>");
});

test("does not count the end of a stream as a message", () => {
  expect(outcomeInWords(stream)).toBe("HTTP 200, 20 messages, end-frame");
  expect(answerHtml(stream)).toContain("Arrivals of all 20 messages");
});
