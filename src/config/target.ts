import type { HeaderLines, Transport } from "../connect/exchange.js";
import type { Endpoint } from "../specification/endpoints.js";
import type { Profile } from "../specification/profile.js";
import type { Labels } from "./labels.js";

/** A market that the configuration names, so that its symbols need not be guessed (S8). */
export interface KnownMarket {
  /** Decimal id. */
  readonly marketId: string;
  readonly assetSymbol?: string;
  readonly quoteSymbol?: string;
}

/** Who made the server under test: for the statement of a run. */
export interface Implementation {
  readonly name?: string;
  readonly version?: string;
  readonly vendor?: string;
  readonly contact?: string;
  readonly url?: string;
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

/** The settings of a run after precedence: command line, environment, configuration file, defaults. */
export interface Settings {
  /** Without a base URL when none was given. */
  readonly target: Omit<Target, "baseUrl"> & Partial<Pick<Target, "baseUrl">>;
  readonly profile: Profile;
  /** The seed of everything that is generated: another one for each run, unless one was given. */
  readonly seed: number;
  /** True when no seed was given. */
  readonly drawnSeed?: true;
  /** Folder for the files of the run. */
  readonly out: string;
  /** Files with suites of the user's own, absolute. */
  readonly suites: readonly string[];
  readonly implementation?: Implementation;
  /** Operations that are left out on purpose: that they do not work keeps nobody from a conclusion. */
  readonly notImplemented: readonly Endpoint[];
  /** What tells the run from others. */
  readonly labels?: Labels;
  /** What is looked at, and what the run is gated by. */
  readonly gate?: Gate;
}

/** What of the specification a run looks at, how it reads the text, and what it is gated by; as the user named it. */
export interface Gate {
  readonly suite: readonly string[];
  readonly rule: readonly string[];
  /** Such as `B4=best-first`. */
  readonly readings: readonly string[];
  readonly strict?: boolean | undefined;
  /** Percent. */
  readonly requireConclusive?: number | undefined;
  /** The file with the known deviations. */
  readonly baseline?: string | undefined;
  /** Seconds to wait for the server to answer at all. */
  readonly wait?: number | undefined;
  /** How long the run goes on, in milliseconds. */
  readonly forMs?: number | undefined;
  /** Whether the HTML report is written. */
  readonly report: boolean;
}

/** Settings that name what is tested. */
export interface TargetSettings extends Settings {
  readonly target: Target;
}
