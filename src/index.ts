/**
 * The public API of the package: runs, their results, and what is needed to write your own suites.
 *
 * @module
 */
export { type RunOptions, run, runTargets, type TargetResults } from "./api.js";
export { ConfigurationError } from "./config/errors.js";
export type { Json, JsonInput, JsonObject } from "./connect/json.js";
export type { Answer, AnswerOf, StreamAnswer } from "./engine/answer.js";
export type { CheckContext } from "./engine/context.js";
export { type CheckOptions, ownSuite as suite, type PropertyOptions, type SuiteWords } from "./engine/define.js";
export type { Verdict } from "./engine/result.js";
export type { SuiteDefinition } from "./engine/suite.js";
export type { Judgement, Violation } from "./judge/judgement.js";
export { type Ending, endingOf, exitCode, exitCodes } from "./report/exit-code.js";
export { UsageError } from "./report/failure.js";
export type {
  CheckEntry,
  Conclusion,
  Conclusiveness,
  OperationEntry,
  ReadingEntry,
  Results,
  RuleEntry,
  ViolationEntry,
} from "./report/results.js";
export type { RuleId } from "./specification/catalogue/index.js";
export type { Endpoint, UnaryEndpoint } from "./specification/endpoints.js";
export { type OwnRuleId, type OwnRuleText, rule } from "./specification/own-rules.js";
export type { Profile } from "./specification/profile.js";
export type { Level } from "./specification/rule.js";
export type { Section } from "./specification/sections.js";
export type { Subjects } from "./subjects/subjects.js";
