import type { Transport } from "../connect/exchange.js";

/**
 * A base URL without trailing slashes (W11), or what is wrong with it. Only http and https; a path prefix is fine, and
 * a query, a fragment or credentials are not. The text is not repeated where it may hold a password.
 */
export function normalizeBaseUrl(text: string): { readonly baseUrl: string } | { readonly problem: string } {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed))
    return { problem: `${JSON.stringify(trimmed)} is not a URL such as https://host:8080/prefix` };
  const url = new URL(trimmed);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return { problem: `the URL must start with http:// or https://, not with ${JSON.stringify(url.protocol)}` };
  }
  if (url.username !== "" || url.password !== "") {
    return { problem: "the URL must not hold a user or a password; give a token with --token-env, or headers" };
  }
  if (trimmed.includes("?") || trimmed.includes("#")) return { problem: "the URL must not have a query or a fragment" };
  return { baseUrl: url.origin + url.pathname.replace(/\/+$/, "") };
}

/** What is wrong with a transport for a base URL, if anything. */
export function transportProblem(transport: Transport, baseUrl: string): string | undefined {
  const secure = baseUrl.startsWith("https:");
  if (transport === "h2c" && secure)
    return "the transport h2c is HTTP/2 without TLS: the base URL must be http://, or the transport h2";
  if (transport === "h2" && !secure)
    return "the transport h2 is HTTP/2 over TLS: the base URL must be https://, or the transport h2c";
  return undefined;
}
