import type { Mutant } from "../departure.js";

/** Servers that break one rule of §7. */
export const errors: readonly Mutant[] = [
  {
    kind: "mutant",
    name: "get-portfolio-html-500",
    summary: "GetPortfolio answers every request with the HTML page of a crashed handler.",
    breaks: "errors.documented-outcome",
    http: (endpoint) =>
      endpoint === "GetPortfolio"
        ? {
            status: 500,
            headers: { "content-type": "text/html" },
            body: Buffer.from("<html><body><h1>500 Internal Server Error</h1></body></html>"),
          }
        : undefined,
  },
];
