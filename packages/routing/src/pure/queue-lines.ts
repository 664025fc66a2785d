/** One line for each plan of a project: its status and the last progress note. */
import { strip } from '@agentm/settings'

export interface QueuedPlan {
  readonly name: string
  /** `undefined` if the file exists but cannot be read. */
  readonly text: string | undefined
  readonly progress: ProgressText
}

export type ProgressText = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'absent' | 'unreadable' }

/** `directory` is shown to people. `undefined` plans mean that the directory does not exist. */
export function queueLines(directory: string, plans: readonly QueuedPlan[] | undefined): string[] {
  if (plans === undefined) return [`No _harness/ directory to read (${directory}).`]
  if (plans.length === 0) return [`No plans found in ${directory}`]
  const width = Math.max(...plans.map(({ name }) => lengthOf(name)))
  const rows = plans.flatMap(({ name, text, progress }) => [
    `  ${name}${' '.repeat(width - lengthOf(name))}  [${statusOf(text)}]`,
    `  ${' '.repeat(width)}  last: ${lastOf(progress)}`,
  ])
  return [`Active plans in ${directory}:`, '', ...rows]
}

export function statusOf(plan: string | undefined): string {
  if (plan === undefined) return '(unreadable)'
  const line = linesOf(plan)
    .map((each) => strip(strip(each).replace(/^\*+/, '')))
    .find((each) => /^status:/i.test(each))
  const value = (line ?? '').slice('status:'.length).replace(/^[ *]+|[ *]+$/g, '')
  return value === '' ? '—' : value
}

function lastOf(progress: ProgressText): string {
  if (progress.kind !== 'text') return progress.kind === 'absent' ? '(no progress file)' : '(unreadable)'
  const last = linesOf(progress.text)
    .map(strip)
    .findLast((line) => line !== '')
  return last === undefined ? '(empty)' : shortened(last)
}

/** Cut by characters, never in the middle of one. */
function shortened(line: string): string {
  const characters = Array.from(line)
  return characters.length <= 120 ? line : `${characters.slice(0, 119).join('')}…`
}

function lengthOf(text: string): number {
  return Array.from(text).length
}

/** Splits lines like Python's `splitlines`. */
function linesOf(text: string): string[] {
  return text.split(lineBreak)
}

const lineBreak = new RegExp(String.raw`\r\n|[\n-\r\x1c-\x1e\x85\u2028\u2029]`)
