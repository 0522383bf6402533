import { type ConfigFile, configFileSchema } from "./config-file.js";

/** An example value for each setting; not meant to be used all at once. */
const examples: Readonly<Required<Omit<ConfigFile, "$schema">>> = {
  baseUrl: "http://127.0.0.1:8080",
  timeoutMs: 10_000,
  concurrency: 16,
  rate: 100,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a header names an environment variable
  headers: { "X-Tenant": "one", "X-Api-Key": "${PERPS_API_KEY}" },
  tokenEnv: "PERPS_TOKEN",
  tokenFile: "secrets/token",
  ca: "certificates/ca.pem",
  cert: "certificates/client.pem",
  key: "secrets/client-key.pem",
  insecure: true,
  correlation: false,
  transport: "h2",
  subjects: {
    markets: [{ marketId: "7", assetSymbol: "BTC", quoteSymbol: "USD" }],
    wallets: ["0x00000000000000000000000000000000000000a1"],
  },
  notImplemented: ["GetOrderBook"],
  implementation: { name: "perps-server", version: "1.4.0", vendor: "Example Ltd", url: "https://perps.example" },
  labels: { build: "1234", environment: "staging" },
  suite: ["GetOrderBook"],
  rule: ["order-book.cumulative-total"],
  readings: ["B4=best-first"],
  strict: true,
  requireConclusive: 90,
  baseline: "perp-conformance-baseline.json",
  wait: 30,
  profile: "full",
  seed: 1,
  suites: ["suites/own.check.ts"],
  targets: [
    { name: "staging", baseUrl: "https://staging.example/perps", tokenEnv: "STAGING_TOKEN" },
    { name: "live", baseUrl: "https://api.example/perps", tokenEnv: "LIVE_TOKEN" },
  ],
  for: "10m",
  report: false,
  out: "reports/latest",
};

/**
 * A self-documenting configuration file: every setting of the schema, with its description above it. Settings are commented
 * out unless given, so the file changes nothing until it is edited.
 *
 * @param schema path or URL of the JSON Schema, for editors
 */
export function commentedConfig(schema: string, given: Partial<ConfigFile> = {}): string {
  const members = Object.entries(examples).map(([name, example]) => {
    const value = given[name as keyof ConfigFile];
    const line = `${JSON.stringify(name)}: ${spaced(value ?? example)},`;
    const description = configFileSchema.shape[name as keyof ConfigFile].description;
    return `  // ${description}\n  ${value === undefined ? "// " : ""}${line}`;
  });
  return `// Settings of perp-conformance, read from the folder in which it is started. Lines that begin with // are comments.
// The command line overrides CONFORMANCE_* variables, and these override this file. Secrets do not belong here.
{
  "$schema": ${JSON.stringify(schema)},

${members.join("\n\n")}
}
`;
}

/** JSON on one line, with spaces as in hand-written JSON. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${spaced(member)}`);
  return `{ ${members.join(", ")} }`;
}
