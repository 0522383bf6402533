import { suite } from "../src/verdict/define.js";

export default suite("§2 Candlestick", ({ invariant }) => {
  // open, high, low, close: numbers.
  invariant("candlestick.low-high");
});
