import { isMessage } from "../connect/envelope.js";
import { type Exchange, keptInWords } from "../connect/exchange.js";
import { factTable, html } from "../report/html.js";
import { markedJson } from "./marked-json.js";

/** An exchange of the bundle, as shown on the page and in the script. */
export interface ShownExchange {
  readonly id: string;
  /**
   * The file with the whole exchange, relative to the page. The `.request` and `.answer` files next to it are
   * pretty-printed.
   */
  readonly file: string;
  /** The files next to it with a pretty-printed body, and what each contains. */
  readonly prettyFiles: readonly (readonly [file: string, what: string])[];
  /** A shell command that sends the request to `$BASE_URL`. */
  readonly curl: string;
  /** In one line: `HTTP 200`, or why there is no answer. */
  readonly outcome: string;
  readonly request: string;
  readonly answer: string;
}

/** Maximum messages of a stream on the page: those around the marked one, or the first ones. */
const maxMessages = 4;

/** Maximum length of a request body on the page. */
const maxBody = 20_000;

/** A request as HTML: method and URL, pretty-printed body, and folded headers. */
export function requestHtml({ request }: Exchange): string {
  const body = request.body === "" ? "" : `\n\n${markedJson(request.body.slice(0, maxBody))}`;
  return `<pre>${html(`${request.method} ${request.url}`)}${body}</pre>${headersHtml(request.headers)}`;
}

/** How an exchange ended, in a few words. */
export function outcomeInWords({ response, frames, failure, ended }: Exchange): string {
  if (!response) return `no answer: ${failure?.kind ?? "unknown"}${failure?.message ? `: ${failure.message}` : ""}`;
  const streamed = frames === undefined ? "" : `, ${frames.filter(isMessage).length} messages, ${ended ?? "open"}`;
  return `HTTP ${response.status}${streamed}${failure ? `, then ${failure.kind}` : ""}`;
}

/**
 * An answer as HTML: its pretty-printed body, with places marked.
 *
 * @param places where something was found, as JSON pointers
 */
export function answerHtml(exchange: Exchange, places: readonly string[] = []): string {
  const { response, frames } = exchange;
  const pointers = places.filter((pointer) => pointer !== "");
  const samples = (response?.samples ?? []).map(keptInWords);
  const sampled =
    samples.length > 0
      ? `<p class="soft">${html(`Of the ${response?.bytes} bytes of the body a sample was read: ${samples.join(", ")}.`)}</p>`
      : "";
  const body = response?.body ?? "";
  const shown =
    frames === undefined
      ? `<pre>${html(outcomeInWords(exchange))}${body === "" ? "" : `\n\n${markedJson(body, pointers)}`}</pre>`
      : messagesHtml(exchange, pointers);
  return `${sampled}${shown}${headersHtml(response?.headers ?? [])}`;
}

/** The messages of a stream, starting just before the first one with a marked place. */
function messagesHtml(exchange: Exchange, pointers: readonly string[]): string {
  const messages = (exchange.frames ?? []).filter(isMessage);
  const marksIn = (index: number) =>
    pointers.filter((pointer) => `${pointer}/`.startsWith(`/messages/${index}/`)).map(withoutMessage);
  const place = messages.findIndex((_, index) => marksIn(index).length > 0);
  const first = Math.max(0, place - 1);
  const shown = messages.slice(first, first + maxMessages).map(({ at, data }, index) => {
    const marks = marksIn(first + index);
    return `<p class="soft">messages[${first + index}], after ${(at / 1000).toFixed(3)} s</p><pre>${markedJson(data, marks)}</pre>`;
  });
  const arrivals = messages.map(({ at }, index) => `messages[${index}]  ${(at / 1000).toFixed(3)} s`).join("\n");
  return `<p><code>${html(outcomeInWords(exchange))}</code></p>${shown.join("")}<details><summary>Arrivals of all ${messages.length} messages</summary><pre>${arrivals}</pre></details>`;
}

/** A JSON pointer into a stream, within the message that it starts with. */
function withoutMessage(pointer: string): string {
  return pointer.replace(/^\/messages\/\d+/, "");
}

function headersHtml(headers: readonly (readonly [string, string])[]): string {
  if (headers.length === 0) return "";
  return `<details><summary>${headers.length} headers</summary><pre>${headers.map(([name, value]) => html(`${name}: ${value}`)).join("\n")}</pre></details>`;
}

/** An exchange, folded. */
export function exchangeHtml({ id, file, prettyFiles, curl, outcome, request, answer }: ShownExchange): string {
  const files = [
    `<a href="${html(file)}">as it was recorded</a>`,
    ...prettyFiles.map(([path, what]) => `<a href="${html(path)}">${html(what)}, pretty-printed</a>`),
  ];
  return `<details class="card" id="${html(file)}"><summary><code>${html(id)}</code> <span class="soft">${html(outcome)}</span></summary>
<h3>Request</h3>${request}<h3>Answer</h3>${answer}
${factTable([
  ["Files", files.join(", ")],
  ["Send again", `<pre>${html(curl)}</pre>`],
])}</details>`;
}
