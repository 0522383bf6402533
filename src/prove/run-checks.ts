import { createTransport } from "../connect/undici-transport.js";
import type { Lane } from "../engine/suite.js";
import type { ReferenceServer } from "../reference/server.js";
import { openEnvironment } from "../session/open-environment.js";
import { recordingTransport } from "../session/recording-transport.js";
import { type DirectOptions, type DirectRun, runDirect } from "../session/run-direct.js";
import type { Session } from "../session/session-data.js";
import { changedVerdicts } from "./changed-verdicts.js";
import { directTransport } from "./direct-transport.js";
import { type ReferenceRun, sharingTransport } from "./reference-run.js";
import type { TrialJob } from "./trial-job.js";

/** Maximum number of concurrent checks in a trial. */
const checksAtOnce = { bulk: 24, timing: 200, any: 24 } as const;

/** The outcome of the checks of a trial, and those whose verdict changed when they were judged again. */
export interface JudgedRun extends DirectRun {
  readonly differing?: readonly string[];
}

interface CheckingOptions extends Pick<TrialJob, "rejudge" | "strength">, Pick<DirectOptions, "only" | "onExchanged"> {
  /** The suites to run: those of one lane, or all, with the streams of the reference run. */
  readonly lane: Lane | "any";
  /** Whether the server's data stand still. */
  readonly still: boolean;
  /** Exchanges of the same requests with the reference server, on the same subjects. */
  readonly reference?: ReferenceRun | undefined;
}

/** Runs the checks of a lane on a server in this process, and judges them again if `rejudge` says so. */
export async function runChecks(
  server: ReferenceServer,
  session: Session,
  { lane, rejudge, strength, only, onExchanged, still, reference }: CheckingOptions,
): Promise<JudgedRun> {
  const network = createTransport(session.target);
  // When arrival times are judged, no two answers may be made in the same turn of the event loop.
  const direct = lane !== "timing" || onExchanged ? directTransport(server, network) : network;
  const since = Date.parse(session.startedAt);
  const transport = reference ? sharingTransport(direct, reference, since, lane === "any") : direct;
  const recording = rejudge ? recordingTransport(transport) : undefined;
  const environment = openEnvironment(session, "trial", {
    transport: recording?.transport ?? transport,
    still,
    strength,
    ...(still && { lagMs: 0 }),
  });
  try {
    const run = await runDirect(session, environment, {
      concurrency: checksAtOnce[lane],
      ...(lane !== "any" && { lane }),
      only,
      onExchanged,
    });
    if (!recording) return run;
    const differing = await changedVerdicts(session, recording.exchanges, run.results, strength);
    return {
      ...run,
      differing: differing.map(
        ({ name, before, after }) => `${name}: ${before ?? "not made"}, then ${after ?? "not made"}`,
      ),
    };
  } finally {
    await environment.close();
  }
}
