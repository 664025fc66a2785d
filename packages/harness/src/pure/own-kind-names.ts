import { checkKindName } from '../checks/pure/check-kind-name.ts'
import { controlKindName } from '../control/pure/control-kind-name.ts'
import { mergeKindName } from '../trees/pure/merge-kind-name.ts'

/** Kinds of steps that plans add by themselves. Nobody writes them, and nobody has to allow them. */
export const ownKindNames: readonly string[] = [controlKindName, mergeKindName, checkKindName]
