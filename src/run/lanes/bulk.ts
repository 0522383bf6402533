import { loadLane } from "./load.js";

await loadLane("bulk");
