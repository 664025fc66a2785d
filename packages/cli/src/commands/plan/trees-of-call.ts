/** Where the steps of a new plan work: what the call says, else the plan file, else what is usual for the command. */
import { isHarnessError, type PlanTrees } from '@agentm/harness'
import type { Plans } from '@agentm/workspace'
import { type Call, type Option, UsageError } from '../../command.ts'

export const treesModes = ['own', 'shared', 'none'] as const

export type TreesMode = (typeof treesModes)[number]

export function treesOptions(usual: string): Readonly<Record<string, Option>> {
  return {
    trees: {
      value: 'MODE',
      help: `own: each step works in a copy of the folder; shared: all in one copy; none: in the folder itself (default: ${usual})`,
    },
    committed: { help: 'the copies start from your last commit, without your uncommitted changes' },
  }
}

/** What the options say. Read before anything is opened, so that a wrong option leaves nothing behind. */
export interface TreesWish {
  readonly mode: TreesMode | undefined
  readonly committed: boolean
}

export function treesWish(call: Call): TreesWish {
  const mode = call.get('trees')
  if (mode !== undefined && !isMode(mode))
    throw new UsageError(`--trees does not accept ${JSON.stringify(mode)}. Use own, shared or none.`)
  return { mode, committed: call.has('committed') }
}

function isMode(word: string): word is TreesMode {
  return (treesModes as readonly string[]).includes(word)
}

export interface TreesOfCall {
  /** `undefined`: steps work in the folder. */
  readonly trees: PlanTrees | undefined
  /** What a person should know before the plan starts. */
  readonly said: readonly string[]
}

export async function treesOfCall(
  opened: Plans,
  { mode, committed, directory }: { readonly mode: TreesMode; readonly committed: boolean; readonly directory: string },
): Promise<TreesOfCall> {
  refuseCommitted(mode, committed)
  if (mode === 'none') return { trees: undefined, said: [] }
  const { trees, kind, uncommitted } = await (await opened.trees()).plan(directory, { mode, committed })
  const whose = mode === 'own' ? 'Each step works in its own copy' : 'The steps work in one copy'
  const from = kind === 'git' ? trees.folder : `a snapshot of ${trees.folder}, which is no git repository`
  const count = uncommitted.length === 1 ? '1 uncommitted change is' : `${uncommitted.length} uncommitted changes are`
  return {
    trees,
    said: [
      `${whose} of ${from}. Nothing changes there before agentm apply.`,
      ...(uncommitted.length === 0 ? [] : [`Your ${count} not in the copies.`]),
    ],
  }
}

export function refuseCommitted(mode: TreesMode, committed: boolean): void {
  if (mode === 'none' && committed) throw new UsageError('--committed needs copies of the folder. Add --trees own.')
}

/** For goals: own copies in a git repository, if agents here have a tool that can change files. */
export async function usualForGoals(opened: Plans, directory: string): Promise<TreesMode> {
  // Without a model a person does the steps, in the folder.
  if ((await opened.agents.model()) === undefined) return 'none'
  const tools = await opened.agents.tools()
  if (!tools.some(({ name, nature }) => nature !== 'pure' && /^(files|shell)/.test(name))) return 'none'
  try {
    return (await (await opened.trees()).kindOf(directory)) === 'git' ? 'own' : 'none'
  } catch (error) {
    // Without git, agents work in the folder, as in any folder without a repository.
    if (isHarnessError(error, 'TREES_REFUSED')) return 'none'
    throw error
  }
}
