import { type Exchange, keptRows } from "../connect/exchange.js";
import { factTable, html } from "../report/html.js";
import { hasPlace, markedJson } from "./marked-json.js";

/** An exchange of the bundle, as it stands on the page and in the script. */
export interface ShownExchange {
  readonly id: string;
  /** The file that has the whole of it, relative to the page; `.request` and `.answer` beside it are laid out. */
  readonly file: string;
  /** Files beside it with a body laid out, and what each has. */
  readonly laidOut: readonly (readonly [file: string, what: string])[];
  /** A line for a shell that sends the request to `$BASE_URL`. */
  readonly curl: string;
  /** In a line: `HTTP 200`, or why there is none. */
  readonly outcome: string;
  readonly request: string;
  readonly answer: string;
}

/** Messages of a stream that the page shows: around the marked one, or the first. */
const MESSAGES_SHOWN = 4;

/** Longest body of a request on the page. */
const MAX_BODY = 20_000;

/** A request as HTML: what is asked, its body laid out, and its headers folded. */
export function requestHtml({ request }: Exchange): string {
  const body = request.body === "" ? "" : `\n\n${markedJson(request.body.slice(0, MAX_BODY))}`;
  return `<pre>${html(`${request.method} ${request.url}`)}${body}</pre>${headersHtml(request.headers)}`;
}

/** How an exchange ended, in a few words. */
export function outcomeOf({ response, frames, failure, ended }: Exchange): string {
  if (!response) return `no answer: ${failure?.kind ?? "unknown"}${failure?.message ? `: ${failure.message}` : ""}`;
  const streamed = frames === undefined ? "" : `, ${frames.length} messages, ${ended ?? "open"}`;
  return `HTTP ${response.status}${streamed}${failure ? `, then ${failure.kind}` : ""}`;
}

/**
 * An answer as HTML: its body laid out, with places marked.
 *
 * @param places of what was found, as JSON pointers and what was seen there
 */
export function answerHtml(exchange: Exchange, places: readonly { pointer: string; seen: string }[] = []): string {
  const { response, frames } = exchange;
  const pointers = places.map(({ pointer }) => pointer).filter((pointer) => pointer !== "");
  const samples = (response?.samples ?? []).map(
    (rows) => `${keptRows(rows).length} of ${rows.rows} rows of ${rows.path}`,
  );
  const sampled =
    samples.length > 0
      ? `<p class="soft">${html(`Of the ${response?.bytes} bytes of the body a sample was read: ${samples.join(", ")}.`)}</p>`
      : "";
  const body = frames === undefined ? (response?.body ?? "") : undefined;
  const shown =
    body === undefined
      ? messagesHtml(exchange, pointers)
      : `<pre>${html(outcomeOf(exchange))}${body === "" ? "" : `\n\n${markedJson(body, pointers)}`}</pre>`;
  return `${sampled}${shown}${headersHtml(response?.headers ?? [])}`;
}

/** The messages of a stream, the first one that has a place on top of the others. */
function messagesHtml(exchange: Exchange, pointers: readonly string[]): string {
  const frames = exchange.frames ?? [];
  const place = frames.findIndex(({ data }) => pointers.some((pointer) => hasPlace(data, pointer)));
  const first = Math.max(0, place - 1);
  const shown = frames.slice(first, first + MESSAGES_SHOWN).map(({ at, data }, index) => {
    const marks = first + index === place ? pointers : [];
    return `<p class="soft">message ${first + index + 1}, after ${(at / 1000).toFixed(3)} s</p><pre>${markedJson(data, marks)}</pre>`;
  });
  const arrivals = frames.map(({ at }, index) => `${index + 1}  ${(at / 1000).toFixed(3)} s`).join("\n");
  return `<p><code>${html(outcomeOf(exchange))}</code></p>${shown.join("")}<details><summary>Arrivals of all ${frames.length} messages</summary><pre>${arrivals}</pre></details>`;
}

function headersHtml(headers: readonly (readonly [string, string])[]): string {
  if (headers.length === 0) return "";
  return `<details><summary>${headers.length} headers</summary><pre>${headers.map(([name, value]) => html(`${name}: ${value}`)).join("\n")}</pre></details>`;
}

/** One of the other exchanges, folded. */
export function exchangeHtml({ id, file, laidOut, curl, outcome, request, answer }: ShownExchange): string {
  const files = [
    `<a href="${html(file)}">as it was recorded</a>`,
    ...laidOut.map(([path, what]) => `<a href="${html(path)}">${html(what)}, laid out</a>`),
  ];
  return `<details class="card" id="${html(file)}"><summary><code>${html(id)}</code> <span class="soft">${html(outcome)}</span></summary>
<h3>Request</h3>${request}<h3>Answer</h3>${answer}
${factTable([
  ["Files", files.join(", ")],
  ["Send it again", `<pre>${html(curl)}</pre>`],
])}</details>`;
}
