import type { HeaderLines, HttpVersion } from "./exchange.js";

/** A market named in the configuration, so that its symbols need not be guessed (S8). */
export interface ConfiguredMarket {
  /** Decimal id. */
  readonly marketId: string;
  readonly assetSymbol?: string;
  readonly quoteSymbol?: string;
}

/** How connections are secured. */
export interface TlsSettings {
  /** Trusted CA certificates, PEM; the system's when absent. */
  readonly ca?: string;
  /** Client certificate, PEM. */
  readonly cert?: string;
  /** True to skip verification of the target's certificate. */
  readonly insecure: boolean;
}

/** Everything that must never appear in reports or recorded evidence. */
export interface Secrets {
  /** The bearer token (H3). */
  readonly token?: string;
  /** Headers configured by the user. They may hold keys, so their values are never shown. */
  readonly headers: HeaderLines;
  /** Private key of the client certificate, PEM. */
  readonly key?: string;
}

/** The target under test and how to connect to it: plain data that can be passed to a worker. */
export interface Target {
  /** Without trailing slash (W11). */
  readonly baseUrl: string;
  readonly transport: HttpVersion;
  readonly tls: TlsSettings;
  /** Idle timeout of a request, in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum number of unary requests in flight. */
  readonly concurrency: number;
  /** Maximum number of requests per second; unlimited when absent. */
  readonly rate?: number;
  /** Whether requests name their check in the header `X-Conformance-Check`; true when absent. */
  readonly correlation?: boolean;
  /** Subjects named by the user, so that they need not be discovered. */
  readonly known: { readonly markets: readonly ConfiguredMarket[]; readonly wallets: readonly string[] };
  readonly secrets: Secrets;
}
