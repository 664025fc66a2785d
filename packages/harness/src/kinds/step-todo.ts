/** The list of what an agent has to do in its step, kept as notes of the step. The last one counts, whoever runs the step now. */
import type { NodeLog } from '@agentm/nodes'
import type { TodoEntry, TodoList } from '@agentm/agent-loop/tools'
import { observationName } from '../pure/concept-names.ts'
import type { StepRun } from '../step-kind.ts'

/**
 * Keeps a todo list in the plan, as notes of the step that runs. Give it to `todoTools`.
 *
 * @example
 * ```ts
 * import { todoTools } from '@agentm/agent-loop/tools'
 * import { type StepRun, stepTodo } from '@agentm/harness'
 *
 * const toolsOf = (run: StepRun) => todoTools(stepTodo(run))
 * ```
 */
export function stepTodo(run: StepRun): TodoList {
  return {
    read: async () => (await lastList(run.log, run)) ?? [],
    async write(items) {
      await run.observe({ kind: 'note', content: noteOf(items), data: { todo: items } })
    },
  }
}

const pageSize = 50

/** The list of a step; `undefined` if it has none in its newest observations, as far as they are looked through. */
export async function lastList(
  log: Pick<NodeLog, 'scan'>,
  { owner, id }: Pick<StepRun, 'owner' | 'id'>,
  { mostPages = Infinity }: { readonly mostPages?: number } = {},
): Promise<readonly TodoEntry[] | undefined> {
  let cursor: string | undefined
  let pages = 0
  do {
    const query = { owner, concepts: [observationName], parent: id, order: 'newest', limit: pageSize } as const
    const page = await log.scan({ ...query, ...(cursor === undefined ? {} : { cursor }) })
    for (const { payload } of page.nodes) {
      const { todo } = { ...(payload['data'] as { readonly todo?: readonly TodoEntry[] } | undefined) }
      // Written by this file only.
      if (todo !== undefined) return todo
    }
    cursor = page.cursor
    pages += 1
  } while (cursor !== undefined && pages < mostPages)
  return undefined
}

function noteOf(items: readonly TodoEntry[]): string {
  const done = items.filter(({ status }) => status === 'done').length
  const now = items.filter(({ status }) => status === 'doing').map(({ text }) => text)
  return `todo: ${done} of ${items.length} done${now.length > 0 ? `; now: ${now.join(', ')}` : ''}`
}
