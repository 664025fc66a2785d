/**
 * The task list of Claude Code. Its tools change one task at a time, so the parser keeps the list and gives the whole of it after each
 * change. The number of a new task is known only from the answer; until then it is taken to be the next one.
 */
import type { TodoItem } from '../../transcript-event.ts'
import { field, firstText, objectOf, textOf, type JsonObject, type JsonValue } from '../json-object.ts'
import { todoItem } from '../todo-item.ts'

/** One task of the list. */
export interface ClaudeCodeTask {
  readonly id: string
  readonly text: string
  readonly status: string
  /** The call that made it, until its answer names the id. */
  readonly call?: string
}

const most = 200

/** The list after a call of a task tool, or `undefined` if the tool does not change it. */
export function tasksAfterCall(
  tasks: readonly ClaudeCodeTask[],
  { tool, call, input }: { readonly tool: string; readonly call: string; readonly input: JsonObject },
): readonly ClaudeCodeTask[] | undefined {
  if (tool === 'TaskCreate') return afterCreate(tasks, call, input)
  return tool === 'TaskUpdate' ? afterUpdate(tasks, input) : undefined
}

/** The list after the answer to a call that made a task. */
export function tasksAfterResult(
  tasks: readonly ClaudeCodeTask[],
  call: string,
  answer: JsonValue | undefined,
): readonly ClaudeCodeTask[] {
  const made = tasks.find((task) => task.call === call)
  if (made === undefined) return tasks
  const named = textOf(field(objectOf(field(objectOf(answer), 'task')), 'id')) ?? made.id
  return tasks.map((task) => (task === made ? { id: named, text: task.text, status: task.status } : task))
}

/** The list as items of a to-do list. */
export function todoItems(tasks: readonly ClaudeCodeTask[]): readonly TodoItem[] {
  return tasks.map(({ text, status }) => todoItem(text, status))
}

function afterCreate(tasks: readonly ClaudeCodeTask[], call: string, input: JsonObject): readonly ClaudeCodeTask[] {
  const numbers = tasks.map(({ id }) => Number(id)).filter(Number.isSafeInteger)
  const id = String(Math.max(0, ...numbers) + 1)
  const made = { id, text: firstText(input, 'subject', 'description') ?? '', status: 'pending', call }
  return [...tasks, made].slice(-most)
}

function afterUpdate(tasks: readonly ClaudeCodeTask[], input: JsonObject): readonly ClaudeCodeTask[] {
  const id = firstText(input, 'taskId')
  const status = firstText(input, 'status')
  if (status === 'deleted') return tasks.filter((task) => task.id !== id)
  const known = tasks.some((task) => task.id === id)
  const rows = known || id === undefined ? tasks : [...tasks, { id, text: '', status: 'pending' }].slice(-most)
  return rows.map((task) =>
    task.id === id ? { ...task, text: firstText(input, 'subject') ?? task.text, status: status ?? task.status } : task,
  )
}
