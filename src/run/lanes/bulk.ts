import { judgeDiscoveryHere } from "../vitest-host.js";
import { loadLane } from "./load.js";

await loadLane("bulk");
judgeDiscoveryHere();
