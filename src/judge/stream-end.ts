/** Judges whether a stream stays open (T5). */
import { openStreamEvidence } from "../specification/limits.js";
import { failed, type Judgement, nothingSeen, passed } from "./judgement.js";
import { endInWords, type StreamJudge, type Watched } from "./watched-stream.js";

/** The stream stays open until the client disconnects (T5): it does not end in a window of at least 5 s and 20 messages. */
export const staysOpen: StreamJudge = (watched) => {
  const needed = openStreamEvidence;
  if (watched.ended !== "by-us") return endedEarly(watched);
  if (watched.messages.length >= needed.messages && watched.windowMs >= needed.windowMs) return passed;
  const evidence = `${needed.windowMs / 1000} s and ${needed.messages} messages of one stream`;
  return nothingSeen(`${evidence}: ${endInWords(watched)}`);
};

/** The stream did not end while it was watched, for however short a time (T5). */
export const notEnded: StreamJudge = (watched) => {
  const { ended, messages } = watched;
  if (messages.length === 0) return nothingSeen(`a message: ${endInWords(watched)}`);
  return ended === "by-us" ? passed : endedEarly(watched);
};

/** A stream with another header goes on like the usual one (H2). If that one ended as well, the header is not the cause. */
export function notEndedUnlike(usual: Watched): StreamJudge {
  return (watched) =>
    notEnded(usual).violations.length > 0 ? nothingSeen("a usual stream that goes on") : notEnded(watched);
}

function endedEarly(watched: Watched): Judgement {
  const expected = "to go on until the client disconnects";
  return failed({ expected, seen: endInWords(watched), row: "the end" });
}
