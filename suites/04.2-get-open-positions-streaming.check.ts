import type { CheckContext } from "../src/engine/context.js";
import { suite } from "../src/engine/define.js";
import { answeredAsDocumented } from "../src/engine/documented-outcome.js";
import { exploredAnswers } from "../src/engine/explored.js";
import { requireUsable, usable } from "../src/engine/usable.js";
import { cadenceDoubt, nearestInterval, oneMessagePer } from "../src/judge/cadence.js";
import { firstMessageDoubt } from "../src/judge/first-messages.js";
import { shownPositions } from "../src/judge/located-rows.js";
import {
  emptySnapshots,
  emptySnapshotsUnlessOpened,
  fullBetween,
  fullPortfolio,
  fullSnapshots,
  orderReferences,
  positionsOwnedBy,
} from "../src/judge/snapshots.js";
import { notEnded, notEndedUnlike, staysOpen } from "../src/judge/stream-end.js";
import { triggerPrices, triggerRules } from "../src/judge/triggers.js";
import { hasConnectContentType, messagesAreJsonObjects } from "../src/judge/whole-answer.js";
import { fieldRules } from "../src/judge/wire-invariants.js";
import { walletWithoutOpenPositions } from "../src/subjects/select.js";
import {
  likeAtTheLeastInterval,
  likeInLowerCase,
  likeUsualNotation,
  likeWithoutBlanks,
} from "./support/equivalences.js";
import { recordDefaults, recordUnlisted } from "./support/fields.js";
import { verifyStoredThroughout } from "./support/lasting-differences.js";
import { fiftyMessages, measureStream } from "./support/measuring.js";
import { snapshotsAgree } from "./support/sightings.js";
import { stableReads } from "./support/stable-reads.js";
import {
  firstMessageIsImmediate,
  keepsInEveryCombination,
  keepsPace,
  keepsPaceBelowRange,
  keepsPaceInRange,
  measuredWithControl,
  recordUnsettledPace,
  secondMessagesAfterAMinute,
  secondMessagesAreDue,
} from "./support/stream-timing.js";
import {
  followedWallet,
  largeWallet,
  openStream,
  quickestStream,
  readStreamAndOrders,
  slowStreamMs,
  slowStreams,
  streamsAtOnce,
  streamsOfEachMarket,
  watchedAddress,
} from "./support/streams.js";

const on = "GetOpenPositionsStreaming";

/** The effective intervals, in milliseconds, that an explicit zero may mean, by reading (T3). */
const zeroMeans = {
  "zero-is-250": [250],
  "zero-is-100": [100],
  either: [250, 100],
} as const;

export default suite(
  "§4.2 GetOpenPositionsStreaming",
  ({ check, equivalent, invariant, observe }) => {
    // address: Wallet address. §1: trimmed of surrounding whitespace and matched case-insensitively.
    equivalent("get-open-positions-streaming.address-trimmed", likeWithoutBlanks("address"));

    equivalent("get-open-positions-streaming.address-case-insensitive", likeInLowerCase("address"));

    invariant("get-open-positions-streaming.owner");

    // positions (array of Position): §2.
    invariant(
      "position.identity",
      "position.margin-type-isolated",
      "position.unrealized-pnl-sign",
      "position.associated-orders-market",
      "position.associated-orders-agree",
      "position.effective-size",
      "position.additional-field-types",
    );

    // §1: messages are JSON, with fields written as everywhere else.
    check("wire.streaming-content-type", async (context) => {
      context.verify(...(await exploredAnswers(context, on))).meets(hasConnectContentType);
    });

    check("wire.json-object", { on }, async (context) => {
      context.verify(...(await exploredAnswers(context, on))).meets(messagesAreJsonObjects);
    });

    invariant(...fieldRules);

    equivalent("protocol.request-notation", { on, ...likeUsualNotation });

    observe("wire.defaults-emitted", { on }, recordDefaults);
    observe("wire.unlisted-fields", { on }, recordUnlisted);

    // §7: a request that is documented to succeed is neither refused nor answered with `internal`.
    check("errors.documented-outcome", { on, name: "in every combination" }, answeredAsDocumented);

    check("get-open-positions-streaming.owner", async (context) => {
      const { address } = followedWallet(context);
      context.verify(await openStream(context)).satisfies(positionsOwnedBy(address));
    });

    // updateIntervalMs: Default 250 when omitted.
    check("get-open-positions-streaming.interval-default", async (context) => {
      await keepsPace(context, {}, [250], { first: () => openStream(context) });
    });

    check("get-open-positions-streaming.interval-zero", async (context) => {
      const accepted = zeroMeans[context.readings.T3 ?? "either"];
      const { outcome } = await keepsPace(context, { updateIntervalMs: 0 }, accepted);
      if (context.readings.T3) return;
      if (outcome.kind === "success" && nearestInterval(outcome.body, accepted) === 100) {
        context.note("an explicit zero is taken for a value below the range: 100 ms instead of the default");
      }
    });

    // Clamped into 100 to 60000 inclusive, not rejected.
    check("get-open-positions-streaming.interval", { name: "100 ms" }, async (context) => {
      const watched = { first: () => quickestStream(context), until: fiftyMessages(context) };
      await keepsPace(context, { updateIntervalMs: 100 }, [100], watched);
    });

    const inEveryCombination = { name: "in every combination" } as const;

    check("relations.position-stored-state", { on, ...inEveryCombination }, snapshotsAgree);

    const every = (ms: number) => ({ judge: oneMessagePer(ms), doubt: cadenceDoubt(ms) });

    check("get-open-positions-streaming.interval", inEveryCombination, (context) =>
      keepsInEveryCombination(context, (ms = 0) => (ms >= 100 ? every(ms) : undefined)),
    );

    check("get-open-positions-streaming.interval-default", inEveryCombination, (context) =>
      keepsInEveryCombination(context, (ms) => (ms === undefined ? every(250) : undefined)),
    );

    check("get-open-positions-streaming.interval-clamped-up", inEveryCombination, (context) =>
      keepsInEveryCombination(context, (ms = 100) => (ms < 100 ? every(100) : undefined)),
    );

    check("get-open-positions-streaming.interval", { name: "in range" }, keepsPaceInRange);

    check("get-open-positions-streaming.interval", { name: "of a large wallet" }, async (context) => {
      const { address } = largeWallet(context);
      await keepsPace(context, { address, updateIntervalMs: 200 }, [200]);
    });

    check("get-open-positions-streaming.interval", { name: "longer ones" }, secondMessagesAreDue);

    for (const updateIntervalMs of [1, 99, -1]) {
      const name = `${updateIntervalMs} ms`;
      check("get-open-positions-streaming.interval-clamped-up", { name }, async (context) => {
        await keepsPace(context, { updateIntervalMs }, [100]);
      });
    }

    check("get-open-positions-streaming.interval-clamped-up", { name: "below the range" }, keepsPaceBelowRange);

    for (const { profile, ms, name } of [
      { profile: "quick", ms: slowStreamMs, name: "at first" },
      { profile: "full", ms: 64_500, name: "after a minute" },
    ] as const) {
      check("get-open-positions-streaming.interval-clamped-down", { profile, name }, async (context) => {
        await secondMessagesAfterAMinute(context, ms);
        if (profile === "quick")
          context.note("only the first seconds were watched; the full profile waits for a minute");
      });
    }

    observe("get-open-positions-streaming.interval-unsettled", recordUnsettledPace);

    // Each message: a full snapshot of the wallet's open positions, not a diff.
    invariant("get-open-positions-streaming.full-snapshot");

    equivalent("get-open-positions-streaming.full-snapshot", likeAtTheLeastInterval);

    check("get-open-positions-streaming.full-snapshot", async (context) => {
      const { address } = followedWallet(context);
      const captures = await stableReads([openStream(context), quickestStream(context), ...slowStreams(context)]);
      const later = await context.listen({ address, updateIntervalMs: 100 }, { messages: 3, ms: 5_000 });
      for (const capture of captures) context.verify(capture, later).satisfies(fullSnapshots(address));
    });

    const atOnce = { name: "of streams that are opened at once" } as const;
    check("get-open-positions-streaming.full-snapshot", atOnce, async (context) => {
      const before = await quickestStream(context);
      const { address, streams, later } = await streamsAtOnce(context);
      for (const stream of usable(streams)) context.verify(stream, before, later).satisfies(fullBetween(address));
    });

    check("relations.open-positions-agree", { on: "GetPortfolio", name: "while streams are open" }, async (context) => {
      const before = await quickestStream(context);
      const { address, portfolio, later } = await streamsAtOnce(context);
      context.verify(portfolio, before, later).satisfies(fullPortfolio(address));
    });

    check("get-open-positions-streaming.full-snapshot", { name: "of each market" }, async (context) => {
      for (const { address, stream, later } of await streamsOfEachMarket(context))
        context.verify(stream, later).satisfies(fullSnapshots(address));
    });

    // §2 Position: Current stored state of a position.
    check("relations.position-stored-state", { on, name: "of each market" }, async (context) => {
      for (const { address, stream, later } of await streamsOfEachMarket(context))
        await verifyStoredThroughout(context, address, stream, later);
    });

    // One message is sent immediately,
    for (const updateIntervalMs of [10_000, 60_000]) {
      const name = `${updateIntervalMs / 1000} s`;
      check("get-open-positions-streaming.first-message", { name }, (context) =>
        firstMessageIsImmediate(context, { address: watchedAddress(context), updateIntervalMs }),
      );
    }

    check("get-open-positions-streaming.first-message", { name: "of the largest wallet" }, (context) => {
      const { address } = context.subject("walletWithOpenPositions");
      return firstMessageIsImmediate(context, { address, updateIntervalMs: 10_000 });
    });

    const flat = { name: "of a wallet without open positions" } as const;
    check("get-open-positions-streaming.first-message", flat, (context) => {
      const { subjects } = context;
      const address = walletWithoutOpenPositions(subjects)?.address ?? subjects.unknown.wallet;
      return firstMessageIsImmediate(context, { address, updateIntervalMs: 10_000 });
    });

    // then one per interval, until the client disconnects.
    check("get-open-positions-streaming.until-disconnect", async (context) => {
      context.verify(await openStream(context)).satisfies(staysOpen);
    });

    check("get-open-positions-streaming.until-disconnect", { name: "at 100 ms" }, async (context) => {
      context.verify(await quickestStream(context)).satisfies(notEnded);
    });

    check("get-open-positions-streaming.until-disconnect", inEveryCombination, (context) =>
      keepsInEveryCombination(context, () => ({ judge: notEnded, doubt: () => undefined })),
    );

    // §4: a request timeout of 30 s does not end a stream within a few seconds.
    check("protocol.timeout-generous", { on, name: "while the stream is open" }, async (context) => {
      const request = { address: watchedAddress(context), updateIntervalMs: 100 };
      const headers = { "Connect-Timeout-Ms": "30000" };
      const until = { messages: 40, ms: 6_000 };
      const [usual, generous] = await Promise.all([
        context.listen(request, until),
        context.listen(request, until, { headers }),
      ]);
      context.verify(generous).satisfies(notEndedUnlike(context.bodyOf(usual)));
    });

    check(
      "get-open-positions-streaming.until-disconnect",
      { profile: "full", name: "for a minute" },
      async (context) => {
        const request = { address: watchedAddress(context), updateIntervalMs: 1_000 };
        context.verify(await measureStream(() => context.listen(request, { ms: 62_000 }))).satisfies(staysOpen);
      },
    );

    // Position entries carry associatedOrderIds references.
    invariant("get-open-positions-streaming.order-references");

    check("get-open-positions-streaming.order-references", async (context) => {
      followedWallet(context);
      context.verify(await openStream(context)).satisfies(orderReferences);
    });

    // §2 Position stopLossPrice, takeProfitPrice: derived from active reduce orders, in every message.
    for (const [rule, field] of triggerRules) {
      check(rule, { on, name: "in every message" }, async (context) => {
        const { stream, known } = await readStreamAndOrders(context);
        requireUsable([stream]);
        context.verify(stream).satisfies((body) => triggerPrices(field, shownPositions(on, body), known));
      });
    }

    // A wallet without open positions: the stream stays open, and every message has empty `positions` (T6).
    const streamOf = (context: CheckContext, address: string) => {
      const request = { address, updateIntervalMs: 100 };
      return measuredWithControl(context, request, { messages: 20, ms: 5_000 }, firstMessageDoubt(100));
    };

    check("get-open-positions-streaming.no-open-positions", { name: "a wallet that nobody knows" }, async (context) => {
      context.verify(await streamOf(context, context.subjects.unknown.wallet)).satisfies(emptySnapshots);
    });

    check(
      "get-open-positions-streaming.no-open-positions",
      { name: "a wallet without open positions elsewhere" },
      async (context) => {
        const { address } = context.subject("walletWithoutOpenPositions");
        context.verify(await streamOf(context, address)).satisfies(emptySnapshotsUnlessOpened(address));
      },
    );
  },
  "timing",
);
