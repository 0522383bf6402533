import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Starts the stream suite first: it waits the longest, and the others run meanwhile. Among the tests, those that make whole
 * runs come first, and of these the longest ones, so that none of them is left for the end.
 */
export class TimingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return [...files].sort((a, b) => rank(a) - rank(b) || a.moduleId.localeCompare(b.moduleId));
  }
}

function rank({ moduleId }: TestSpecification): number {
  if (/streaming\.check\.[jt]s$|lanes\/timing\.js$/.test(moduleId)) return 0;
  if (/lanes\/bulk\.js$/.test(moduleId)) return 1;
  if (/\/e2e\/(statement|hostile|operators)\.test\.ts$/.test(moduleId)) return 2;
  return /\/src\/(e2e|run)\//.test(moduleId) ? 3 : 4;
}
