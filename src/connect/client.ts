import { Client, type Dispatcher, H2CClient } from "undici";
import type { Target } from "../target/target.js";

/** What of a target decides how connections are made. */
export type Connecting = Pick<Target, "baseUrl" | "transport" | "timeoutMs" | "tls" | "secrets">;

/**
 * An HTTP client that holds one connection, opened when it is first needed and again after it was closed. Its own time
 * limits are off, except the one for connecting: an exchange has limits of its own. It follows no redirect.
 */
export function openClient(target: Connecting): Dispatcher {
  const { origin } = new URL(target.baseUrl);
  const { ca, cert, insecure } = target.tls;
  const { key } = target.secrets;
  const options = {
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: {
      timeout: target.timeoutMs,
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
      rejectUnauthorized: !insecure,
    },
  };
  if (target.transport === "h2c") return new H2CClient(origin, options);
  return new Client(origin, { ...options, allowH2: target.transport === "h2" });
}
