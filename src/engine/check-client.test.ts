import { expect, test } from "vitest";
import { exchangeOf } from "./answers.fixture.js";
import { captureOf } from "./check-client.js";

test("tells a stream that was left within a message from one that was left after it", () => {
  const answer = exchangeOf("");
  const data = '{"positions":[]}';
  const capture = (bytes: number) =>
    captureOf({
      ...answer,
      response: { status: 200, headers: [["content-type", "application/connect+json"]], body: "", bytes },
      frames: [{ at: 3, lagMs: 0, flags: 0, data }],
      ended: "by-us",
    });
  const whole = 5 + data.length;
  expect(capture(whole)).toMatchObject({ kind: "success", body: { messages: [{ at: 3 }], ended: "by-us" } });
  expect(capture(whole)).not.toHaveProperty("body.endsWithinMessage");
  expect(capture(whole + 1)).toHaveProperty("body.endsWithinMessage", true);
});
