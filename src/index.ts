/**
 * The package as code sees it: runs, their results, and the words for suites of one's own.
 *
 * @module
 */
export { type RunOptions, run, runTargets, type TargetResults } from "./api.js";
export { UsageError } from "./cli/failure.js";
export type { Json, JsonInput, JsonObject } from "./connect/json.js";
export type { Judgement, Violation } from "./judge/judgement.js";
export type { Conclusion } from "./report/conclusion.js";
export { type Ending, endingOf, exitCode, exitCodes } from "./report/exit-code.js";
export type {
  CheckEntry,
  Conclusiveness,
  OperationEntry,
  ReadingEntry,
  Results,
  RuleEntry,
  ViolationEntry,
} from "./report/results.js";
export type { RuleId } from "./spec/catalogue/index.js";
export type { Endpoint, UnaryEndpoint } from "./spec/endpoints.js";
export { type OwnRuleId, type OwnRuleText, rule } from "./spec/own-rules.js";
export type { Profile } from "./spec/profile.js";
export type { Level } from "./spec/rule.js";
export type { Section } from "./spec/sections.js";
export type { Subjects } from "./subjects/subjects.js";
export { ConfigurationError } from "./target/errors.js";
export type { Answer, AnswerOf, StreamAnswer } from "./verdict/answer.js";
export type { CheckContext } from "./verdict/context.js";
export {
  type CheckOptions,
  ownSuite as suite,
  type PropertyOptions,
  type SuiteDefinition,
  type SuiteWords,
} from "./verdict/define.js";
export type { Verdict } from "./verdict/result.js";
