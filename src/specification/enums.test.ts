import { Code } from "@connectrpc/connect";
import { codeToHttpStatus, codeToString } from "@connectrpc/connect/protocol-connect";
import { describe, expect, it } from "vitest";
import { connectCodes } from "./enums.js";

describe("the Connect codes", () => {
  it("are those of the Connect protocol in the order of their numbers, with its HTTP statuses", () => {
    const codes = Object.values(Code).filter((code): code is Code => typeof code === "number");
    const expected = codes.sort((a, b) => a - b).map((code) => [codeToString(code), codeToHttpStatus(code)]);
    expect(Object.entries(connectCodes)).toEqual(expected);
  });
});
