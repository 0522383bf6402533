import { loadLane } from "./load.js";

await loadLane("timing");
