/** The text of the files in which a rule is written by hand. */
export interface RuleFiles {
  /** `src/specification/catalogue/SECTION.ts`. */
  readonly catalogue: string;
  /** `suites/SECTION.check.ts`. */
  readonly suite: string;
  /** `src/reference/mutants/SECTION.ts`. */
  readonly mutants: string;
}

/**
 * Appends stubs of a rule to the files. The stubs compile. The check reports that it is not written yet, so the proof fails
 * until it is.
 *
 * @throws when the rule already exists, or a file does not end as expected
 */
export function withRuleStubs(id: string, { catalogue, suite, mutants }: RuleFiles): RuleFiles {
  if (catalogue.includes(`"${id}": {`)) throw new Error(`rule ${id} already exists`);
  const endpoint = /endpoints:? ?(\[[^\]]+\])?,/.exec(catalogue)?.[0] ?? 'endpoints: ["GetOrders"],';
  const section = /section: "([^"]+)"/.exec(catalogue)?.[1] ?? "§1";
  return {
    catalogue: before(
      "} as const satisfies",
      `  "${id}": {
    section: "${section}",
    quotes: { "${section}": ["TODO: the words of the specification"] },
    statement: "TODO: one sentence in our own words.",
    level: "mandatory",
    ${endpoint}
    impact: "TODO: what a client sees go wrong.",
  },
`,
      catalogue,
    ),
    suite: before(
      "});",
      `
  // TODO: the words of the specification.
  check("${id}", async ({ inconclusive }) => inconclusive("a check that is written"));
`,
      suite.replace(/\(\{ (?![^}]*\bcheck\b)([^}]*) \}\) => \{/, "({ check, $1 }) => {"),
    ),
    mutants: before(
      "];",
      `
  ...breaking("${id}", {
    "${id.replace(".", "-")}-broken": {
      summary: "TODO: one sentence about what this server does.",
    },
  }),
`,
      mutants,
    ),
  };
}

/** Inserts a text before the last line that starts with `words`. */
function before(words: string, text: string, file: string): string {
  const at = file.lastIndexOf(`\n${words}`);
  if (at < 0) throw new Error(`a file does not end with ${words}`);
  return `${file.slice(0, at + 1)}${text}${file.slice(at + 1)}`;
}
