import type { Dataset } from "./dataset/dataset.js";
/** Placeholder. */
export class Churn {
  constructor(
    readonly dataset: Dataset,
    _now: () => number,
  ) {}
  start(): void {}
  stop(): void {}
}
