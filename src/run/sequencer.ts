import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Starts the stream's suite first: it waits the longest, and the others fit into its waiting. */
export class TimingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return [...files].sort((a, b) => rank(a) - rank(b) || a.moduleId.localeCompare(b.moduleId));
  }
}

function rank({ moduleId }: TestSpecification): number {
  if (/streaming\.check\.[jt]s$|lanes\/timing\.js$/.test(moduleId)) return 0;
  return /lanes\/bulk\.js$/.test(moduleId) ? 1 : 2;
}
