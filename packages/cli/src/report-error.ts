/** An error as people and programs read it: the message, its code, the cause, and the command to try next. */
import { wrapped } from './pure/wrapped.ts'
import type { Terminal } from './terminal.ts'
import { typed } from './typed.ts'

export interface ReportedError {
  readonly code: string
  readonly message: string
  readonly cause?: string
  readonly next?: string
}

export function reportedError(error: unknown): ReportedError {
  if (!(error instanceof Error)) return { code: 'UNKNOWN', message: String(error) }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'INTERNAL'
  const next = code === 'USAGE' ? nextOf(error) : nextSteps[code]
  return {
    code,
    message: typed(error.message),
    ...(error.cause instanceof Error && !error.message.includes(error.cause.message)
      ? { cause: error.cause.message }
      : {}),
    ...(next === undefined ? {} : { next: typed(next) }),
  }
}

/** By the name of the field: a command that is not in the bundle has its own copy of the class. */
function nextOf(error: Error): string {
  return 'next' in error && typeof error.next === 'string' ? error.next : 'agentm help'
}

export function printError(error: unknown, terminal: Terminal): void {
  const { code, message, cause, next } = reportedError(error)
  const { width, onErrors } = terminal
  const text = wrapped(`${indented(message)} ${onErrors.dim(`[${code}]`)}`, {
    width: width === undefined ? undefined : width - 8,
    hanging: 6,
  })
  terminal.err(`${onErrors.red('agentm:')} ${text}\n`)
  if (cause !== undefined) terminal.err(`${wrapped(`  because: ${indented(cause)}`, { width, hanging: 6 })}\n`)
  if (next !== undefined) terminal.err(`  try: ${next}\n`)
  if (code === 'INTERNAL' && error instanceof Error)
    terminal.err(`  This is a bug in agentm. Please report it with these lines:\n${error.stack ?? ''}\n`)
}

/** A message may contain text of others, such as a file name with a line break. Their lines are indented, so that they cannot pass for ours. */
export function indented(text: string): string {
  return text.trimEnd().replaceAll(/\r\n|[\n\r\u0085\u2028\u2029]/g, '\n      ')
}

const nextSteps: Readonly<Record<string, string>> = {
  STORAGE_SELECTION: 'agentm doctor',
  STORE_UNAVAILABLE: 'agentm doctor',
  LOCK_TIMEOUT: 'the same command again; to see who holds the lock: agentm doctor',
  LOCK_BLOCKED: 'agentm doctor',
  LOCK_ELSEWHERE: 'agentm doctor',
  CORRUPT_TEXT: 'agentm conflicts',
  CONCURRENT_MODIFICATION: 'the same command again',
  ACTIVE_PLAN: 'agentm project plans',
  ABSENT_NODE: 'agentm status --all',
  DEVICE_FAULT: 'agentm doctor',
  LOG_BEHIND: 'agentm log migrate',
  CORRUPT_STORE: 'agentm log check',
  PERSON_NEEDED: 'the same command at a terminal',
  PLAN_OVER: 'agentm retry PLAN',
  PLAN_OPEN: 'agentm cancel PLAN',
  STEP_REFUSED: 'agentm status',
}
