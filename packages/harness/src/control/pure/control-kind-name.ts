/** The kind of steps that a plan file repeats, skips or awaits. Every worker runs it, because it only starts other steps. */
import { functionKindName } from '../../functions/pure/function-kind-name.ts'

/** The name of the durable function that runs such steps. */
export const controlFunction = 'control'

/** The kind of such a step. A worker needs `controlKind()` for it. */
export const controlKindName = functionKindName({ name: controlFunction, version: 1 })
