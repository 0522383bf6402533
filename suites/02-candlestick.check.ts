import { suite } from "../src/engine/define.js";

export default suite("§2 Candlestick", ({ invariant }) => {
  // open, high, low, close: numbers.
  invariant("candlestick.low-high");
});
