import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Starts the stream's suite first: it waits the longest, and the others fit into its waiting. */
export class TimingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => (moduleId.includes("streaming") ? 0 : 1);
    return [...files].sort((a, b) => rank(a) - rank(b) || a.moduleId.localeCompare(b.moduleId));
  }
}
