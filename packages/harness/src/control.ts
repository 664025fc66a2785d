/** What writers of plan files need to check the words of controlled steps, such as `foreach` and `when`. For `@agentm/cli` and `@agentm/workspace`; it may change in any release. @internal */
export { type CheckCommand, checkCommandSchema, checkFields } from './checks/check.ts'
export { commandLine, feedbackText } from './checks/pure/check-texts.ts'
export { ownKindNames } from './pure/own-kind-names.ts'
export { controlKind } from './control/control-kind.ts'
export {
  changedInside,
  checksInside,
  type ControlledStep,
  isSpan,
  kindsInside,
  signalOf,
} from './control/controlled-step.ts'
export { needsPrices } from './control/pure/needs-prices.ts'
export { dataProblems, dataSchema, type DataSchema } from './control/data-schema.ts'
export { type DeclaredInputs, type InputProblem, inputValues } from './control/input-values.ts'
export { stepResults } from './kinds/step-results.ts'
export { checkCondition, checkExpression, type TypeScope } from './control/pure/check-expression.ts'
export { spanMs } from './functions/pure/span.ts'
export { controlKindName } from './control/pure/control-kind-name.ts'
export { type Expression, parseExpression, referencesIn } from './control/pure/expression.ts'
export { said } from './control/pure/evaluate.ts'
export { expressionsIn, templatesIn, wholeExpression } from './control/pure/template.ts'
export {
  anything,
  either,
  fieldOfType,
  mayBe,
  absent,
  overlaps,
  spokenType,
  typeOfSchema,
  typeOfValue,
  type ValueType,
  withoutNothing,
} from './control/pure/value-type.ts'
