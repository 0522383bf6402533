import { setHost } from "../verdict/host.js";
import { registerWithVitest } from "./vitest-host.js";

setHost(registerWithVitest);
