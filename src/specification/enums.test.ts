import { Code } from "@connectrpc/connect";
import { codeToHttpStatus, codeToString } from "@connectrpc/connect/protocol-connect";
import { describe, expect, it } from "vitest";
import { connectCodes } from "./enums.js";

describe("the Connect codes", () => {
  it("are those of the Connect protocol, with its HTTP statuses", () => {
    const codes = Object.values(Code).filter((code): code is Code => typeof code === "number");
    expect(connectCodes).toEqual(Object.fromEntries(codes.map((code) => [codeToString(code), codeToHttpStatus(code)])));
  });
});
