import { setHost } from "../engine/host.js";
import { registerWithVitest } from "./vitest-host.js";

setHost(registerWithVitest);
