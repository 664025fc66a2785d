/** The list of what an agent still has to do. It is kept outside of the conversation, so it outlives a full context and a crash. */
import { z } from 'zod'
import { defineTool, type Tool } from '../loop/tool.ts'

const todoItem = z.object({
  text: z.string().min(1).max(500),
  status: z.enum(['open', 'doing', 'done']).default('open'),
})

/** One thing to do. */
export type TodoEntry = z.infer<typeof todoItem>

/** Where the list is kept. */
export interface TodoList {
  read(): Promise<readonly TodoEntry[]>
  write(items: readonly TodoEntry[]): Promise<void>
}

/**
 * Tools that keep a list of what is to be done: `todo_write` replaces it, `todo_read` shows it.
 *
 * @example
 * ```ts
 * import { type TodoEntry, todoTools } from '@agentm/agent-loop/tools'
 *
 * let kept: readonly TodoEntry[] = []
 * const tools = todoTools({
 *   read: async () => kept,
 *   write: async (items) => {
 *     kept = items
 *   },
 * })
 * console.log(tools.map(({ name }) => name).join(' ')) // todo_write todo_read
 * ```
 */
export function todoTools(list: TodoList): readonly Tool[] {
  return [
    defineTool({
      name: 'todo_write',
      description:
        'Keeps the list of what you have to do, in place of the list before. Use it for work of several parts, and keep it current.',
      input: z.object({ items: z.array(todoItem).max(100) }),
      nature: 'idempotent',
      async run({ items }) {
        await list.write(items)
        return summaryOf(items)
      },
    }),
    defineTool({
      name: 'todo_read',
      description: 'Shows the list of what you have to do.',
      input: z.object({}),
      nature: 'pure',
      async run() {
        const items = await list.read()
        return [summaryOf(items), ...items.map(({ text, status }) => `${marks[status]} ${text}`)].join('\n')
      },
    }),
  ]
}

const marks = { open: '[ ]', doing: '[>]', done: '[x]' } as const

function summaryOf(items: readonly TodoEntry[]): string {
  if (items.length === 0) return 'nothing to do'
  return `${items.filter(({ status }) => status === 'done').length} of ${items.length} done`
}
