import type { HeaderLines, Transport } from "./exchange.js";

/** A market that the configuration names, so that its symbols need not be guessed (S8). */
export interface KnownMarket {
  /** Decimal id. */
  readonly marketId: string;
  readonly assetSymbol?: string;
  readonly quoteSymbol?: string;
}

/** How connections are secured. */
export interface TlsSettings {
  /** Certificates of the authorities that are trusted, PEM; the system's when absent. */
  readonly ca?: string;
  /** Client certificate, PEM. */
  readonly cert?: string;
  /** True when the target's certificate is not checked. */
  readonly insecure: boolean;
}

/** Everything that must not be shown: not in reports, not in recorded evidence. */
export interface Secrets {
  /** The bearer token (H3). */
  readonly token?: string;
  /** Headers that the user configured: they may hold keys, so their values are never shown. */
  readonly headers: HeaderLines;
  /** Key of the client certificate, PEM. */
  readonly key?: string;
}

/** What is tested, and how it is spoken to: plain data that can be handed to a worker. */
export interface Target {
  /** Without trailing slash (W11). */
  readonly baseUrl: string;
  readonly transport: Transport;
  readonly tls: TlsSettings;
  /** Idle timeout of a request, in milliseconds. */
  readonly timeoutMs: number;
  /** Unary requests under way at the same time, at most. */
  readonly concurrency: number;
  /** Requests per second, at most; unlimited when absent. */
  readonly rate?: number;
  /** False when requests do not name their check in the header `X-Conformance-Check`; they do when absent. */
  readonly correlation?: boolean;
  /** Subjects that the user named, so that they need not be discovered. */
  readonly known: { readonly markets: readonly KnownMarket[]; readonly wallets: readonly string[] };
  readonly secrets: Secrets;
}
