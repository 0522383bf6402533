import { describe, expect, it } from "vitest";
import { readDocument } from "./document.js";

/** The units of a document: their kind (`#` for structure) and text. */
function unitsOf(source: string): string[] {
  return readDocument(source).units.map(({ kind, text }) => `${kind === "structure" ? "# " : ""}${text}`);
}

describe("the units of a document", () => {
  it("are sentences, and rows up to their first sentence", () => {
    expect(
      unitsOf(
        "One thing is. And another is!\n\n| Field | Rule |\n|---|---|\n| `a` | It is set. It is never zero. |\n| b | |",
      ),
    ).toEqual(["One thing is.", "And another is!", "# Field | Rule", "a | It is set.", "It is never zero.", "b"]);
  });

  it.each([
    [
      "abbreviations",
      "Some, e.g. Two, or i.e. Three. Four of them follow.",
      ["Some, e.g. Two, or i.e. Three.", "Four of them follow."],
    ],
    ["code", "Send `a. B. C` first. `x` follows it.", ["Send a. B. C first.", "x follows it."]],
    ["numbers", "At most 1.5 or 2. Above it is refused.", ["At most 1.5 or 2.", "Above it is refused."]],
    ["short sentences", "A price of an hour. Quote units.", ["A price of an hour. Quote units."]],
    ["lines and blanks", "One\n  thing\u00a0is \u201chere\u201d \u2013 now.", ['One thing is "here" - now.']],
    ["markup", "**Never** *null*, see [this](http://127.0.0.1/x).", ["Never null, see this."]],
    ["labels", "Request:\n\nObject with one of two members:", ["# Request:", "Object with one of two members:"]],
  ])("know of %s", (_, source, texts) => {
    expect(unitsOf(source)).toEqual(texts);
  });

  it("are the same, whatever the markup of the text", () => {
    const digests = (source: string) => readDocument(source).units.map(({ digest }) => digest);
    expect(digests("The `limit` is  **50**.")).toEqual(digests("The limit\nis 50."));
    expect(digests("The limit is 50.")).not.toEqual(digests("The limit is 51."));
  });

  it("have raw HTML and pictures as text, and blocks of code as a whole", () => {
    expect(
      unitsOf("<script>alert(1)</script>\n\n![a shape](http://127.0.0.1/x.png)\n\n```json\n{ 1. A\n 2 }\n```"),
    ).toEqual(["<script>alert(1)</script>", "a shape", "{ 1. A\n 2 }"]);
  });

  it("know their lines", () => {
    expect(
      readDocument("# A\n\nB is.\n\n| C | D |\n|---|---|\n| E | F is. G is it. |").units.map(({ line }) => line),
    ).toEqual([1, 3, 5, 7, 7]);
  });
});

describe("the section of a unit", () => {
  it("is named as the catalogue does", () => {
    const headings = [
      "# The API",
      "## 1. Start",
      "### Wire conventions",
      "## 2. Resources",
      "### OrderBook and level",
      "### Order",
      "## 3. States",
      "### Order status (`OrderStatus`)",
      "### Position",
      "## 4. Endpoints",
      "### 4.1 GetAllPositions",
      "#### Examples",
      "### 4.10 GetFundingRates (new)",
      "### Other operations",
      "## 9. Versioning",
    ];
    expect(readDocument(headings.join("\n\n")).units.map(({ section }) => section)).toEqual([
      "§1",
      "§1",
      "§1 Wire conventions",
      "§2",
      "§2 OrderBook",
      "§2 Order",
      "§3",
      "§3 Order status",
      "§3 Position",
      "§4",
      "§4.1",
      "§4.1",
      "§4.10",
      "§4 Other operations",
      "§9",
    ]);
  });
});
