import { describe, expect, it } from "vitest";
import { align } from "./align.js";
import { readDocument } from "./document.js";
import { smallQuoteOf, smallSpecification, smallStatements } from "./small-specification.fixture.js";

/** What differs in a document, a line each: kind, section and line of the file, the words that are lost, and the text. */
function differences(source: string): string[] {
  const { units, gone } = align(readDocument(source), smallStatements, smallQuoteOf);
  return [
    ...units.flatMap(({ unit, state, movedFrom, lost }) => {
      const kind = state === "same" ? movedFrom && `moved from ${movedFrom}` : state;
      return kind
        ? [`${kind} ${unit.section}:${unit.line} [${lost.map(({ text }) => text).join(", ")}] ${unit.text}`]
        : [];
    }),
    ...gone.map(
      ({ section, quotes, after }) =>
        `gone ${section}:${after?.line ?? "-"} [${quotes.map(({ text }) => text).join(", ")}]`,
    ),
  ];
}

/** The small specification with one place altered, and the line of that place. */
function edited(from: string, to: string): { source: string; line: number } {
  const [before = "", ...after] = smallSpecification.split(from);
  expect(after, `"${from}" stands once`).toHaveLength(1);
  return { source: [before, ...after].join(to), line: before.split("\n").length };
}

it("finds nothing in the same document, however it is set", () => {
  expect(differences(smallSpecification)).toEqual([]);
  const set = smallSpecification
    .replaceAll("\n", "\r\n")
    .replace("not rejected", "**not** rejected")
    .replace("| gears | integer |", "|   `gears` | integer|")
    .replace("Every reader", "Every\n  reader");
  expect(set).not.toBe(smallSpecification);
  expect(differences(set)).toEqual([]);
});

describe("an edit is reported where it was made", () => {
  it.each([
    [
      "a limit changed",
      "Values above 300 are capped to 300",
      "Values above 500 are capped to 500",
      (line: number) => [
        `changed §4.1:${line} [Values above 300 are capped to 300, not rejected] Values above 500 are capped to 500, not rejected.`,
      ],
    ],
    [
      "a default changed",
      "Default 20",
      "Default 25",
      (line: number) => [
        `changed §4.1:${line} [Default 20 when omitted, Default 20 when omitted or zero] Default 25 when omitted or zero.`,
      ],
    ],
    [
      "a field added",
      "| price | number",
      "| colour | string | Main colour of the frame. |\n| price | number",
      (line: number) => [`new §2 Position:${line} [] colour | string | Main colour of the frame.`],
    ],
    [
      "a row removed",
      "| gears | integer | Always at least 1. Zero means unknown. |\n",
      "",
      (line: number) => [
        `gone §2 Position:${line - 1} [gears | integer, Always at least 1]`,
        `gone §2 Position:${line - 1} [Zero means unknown]`,
      ],
    ],
    [
      "words reordered",
      "Every reader sees the same list.",
      "The same list is what every reader sees.",
      (line: number) => [
        `changed §1:${line} [Every reader sees the same list] The same list is what every reader sees.`,
      ],
    ],
    [
      "a type changed",
      "| price | number |",
      "| price | string |",
      (line: number) => [
        `changed §2 Position:${line} [price | number] price | string | Price of an hour. Whole cents.`,
      ],
    ],
    [
      "a field renamed",
      "| offset | integer |",
      "| skip | integer |",
      (line: number) => [`changed §4.1:${line} [] skip | integer | Bicycles to skip.`],
    ],
    [
      "a word left out",
      "capped to 300, not rejected",
      "capped to 300, rejected",
      (line: number) => [
        `changed §4.1:${line} [Values above 300 are capped to 300, not rejected] Values above 300 are capped to 300, rejected.`,
      ],
    ],
    [
      "a sentence added",
      "Response: ",
      "Nothing is cached here. Response: ",
      (line: number) => [`new §4.1:${line} [] Nothing is cached here.`],
    ],
    [
      "a sentence removed",
      " Every reader sees the same list.",
      "",
      (line: number) => [`gone §1:${line} [Every reader sees the same list]`],
    ],
    [
      "a section added",
      "### 4.2 Get",
      "### 4.3 GetStations\n\nAnswers with all stations.\n\n### 4.2 Get",
      (line: number) => [`new §4.3:${line} [] 4.3 GetStations`, `new §4.3:${line + 2} [] Answers with all stations.`],
    ],
    [
      "a sentence split",
      "One message is sent at once, then one per minute.",
      "One message is sent at once. Then one per minute follows.",
      (line: number) => [
        `changed §4.2:${line} [] One message is sent at once.`,
        `changed §4.2:${line} [] Then one per minute follows.`,
      ],
    ],
    [
      "sentences merged",
      "Zero means unknown. |",
      "Zero means unknown, whole cents mean nothing. |",
      (line: number) => [`changed §2 Position:${line} [] Zero means unknown, whole cents mean nothing.`],
    ],
    ["a label changed", "Request:", "Parameters:", (line: number) => [`changed §4.1:${line} [] Parameters:`]],
  ])("%s", (_, from, to, expected) => {
    const { source, line } = edited(from, to);
    expect(differences(source)).toEqual(expected(line));
  });

  it("rows in another order", () => {
    const rows = /(\| limit .*\n)(\| offset .*\n)/;
    const found = differences(smallSpecification.replace(rows, "$2$1"));
    expect(found).toEqual([expect.stringMatching(/^moved from §4\.1 §4\.1:\d+ \[\] offset /)]);
  });

  it("a sentence in another section", () => {
    const moved = edited("- The service lists bicycles. Every", "- Every").source.replace(
      "One message",
      "The service lists bicycles. One message",
    );
    expect(differences(moved)).toEqual([expect.stringMatching(/^moved from §1 §4\.2:\d+ \[\] The service lists/)]);
  });
});

it("follows a section to its new number, and what changed there", () => {
  const source = edited("### 4.1 GetAllPositions", "### 4.7 GetAllPositions").source.replace(
    "Default 20",
    "Default 25",
  );
  const { renamed } = align(readDocument(source), smallStatements, smallQuoteOf);
  expect(renamed).toEqual([{ from: "§4.1", to: "§4.7" }]);
  expect(differences(source)).toEqual([
    expect.stringMatching(/^changed §4\.7:\d+ \[\] 4\.7 GetAllPositions$/),
    expect.stringMatching(/^changed §4\.7:\d+ \[Default 20 when omitted, /),
  ]);
});

it("finds the quotes of a sentence that changed beside them", () => {
  const { source } = edited("One message is sent at once,", "One message is sent at once, with all rows,");
  const { units } = align(readDocument(source), smallStatements, smallQuoteOf);
  const changed = units.find(({ state }) => state === "changed");
  expect(changed?.quotes.map(({ quote, from, to }) => [quote.text, changed.unit.text.slice(from, to)])).toEqual([
    ["One message is sent at once", "One message is sent at once"],
    ["then one per minute", "then one per minute"],
  ]);
});

it("takes another document for what it is", () => {
  const { units, gone } = align(
    readDocument("# Trains\n\n## 1. Why\n\nTrains are fast."),
    smallStatements,
    smallQuoteOf,
  );
  expect(units.map(({ state }) => state)).not.toContain("same");
  expect(gone.flatMap(({ quotes }) => quotes)).toHaveLength(
    smallStatements.reduce((sum, { quotes }) => sum + quotes.length, 0),
  );
});
