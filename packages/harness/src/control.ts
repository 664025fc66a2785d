/** What writers of plan files need to check the words of controlled steps, such as `foreach` and `when`. For `@agentm/cli` and `@agentm/workspace`; it may change in any release. @internal */
export { controlKind } from './control/control-kind.ts'
export { changedInside, type ControlledStep, isSpan, kindsInside, signalOf } from './control/controlled-step.ts'
export { controlKindName } from './control/pure/control-kind-name.ts'
export { type Expression, parseExpression, referencesIn } from './control/pure/expression.ts'
export { expressionsIn, templatesIn } from './control/pure/template.ts'
