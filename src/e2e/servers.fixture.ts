import { type Agent, request as forward, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { RawRequest } from "../connect/hostile-server.fixture.js";
import { findModification } from "../reference/modifications.js";
import { type ReferenceServer, type ReferenceServerOptions, startReferenceServer } from "../reference/server.js";
import { MUTANT, SMALL } from "./binary.fixture.js";

/** Starts a mutant or a variant of the reference server, a small one unless `options` say otherwise. */
export function startModified(name = MUTANT, options: ReferenceServerOptions = SMALL): Promise<ReferenceServer> {
  const modification = findModification("mutant", name) ?? findModification("variant", name);
  if (!modification) throw new Error(`there is no modification ${name}`);
  return startReferenceServer({ ...options, modification });
}

/** Passes a request on to a server on this machine, and what `answerWith` makes of its answer back. */
export function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  answerWith: (answer: IncomingMessage, response: ServerResponse) => unknown = passBack,
): void {
  const { method, headers, url: path } = request;
  const onward = forward({ host: "127.0.0.1", port, method, headers, path }, (answer) => answerWith(answer, response));
  onward.on("error", () => response.destroy());
  response.on("close", () => onward.destroy());
  request.pipe(onward);
}

/** Hands an answer on as it is. */
export function passBack(answer: IncomingMessage, response: ServerResponse): void {
  response.writeHead(answer.statusCode ?? 502, answer.headers);
  answer.pipe(response);
}

/**
 * Passes a request that came over a bare socket on to a server on this machine. Gives it up when the socket closes, and closes
 * the socket when the server cannot be reached.
 *
 * @param to where it goes; by default to the path of the request
 */
export function passRawOn(
  socket: Socket,
  { head, body }: RawRequest,
  to: { readonly port: number; readonly agent: Agent; readonly path?: string },
  onAnswer: (answer: IncomingMessage) => void,
): void {
  const [first = "", ...lines] = head.split("\r\n");
  const [method = "", path = ""] = first.split(" ");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const onward = forward({ host: "127.0.0.1", method, path, headers, ...to }, onAnswer);
  const leave = () => onward.destroy();
  socket.once("close", leave);
  onward.once("close", () => socket.off("close", leave));
  onward.on("error", () => socket.destroy());
  onward.end(body);
}

/** Ends a server and all its connections. */
export function shutDown(server: Server): void {
  server.close();
  server.closeAllConnections();
}
