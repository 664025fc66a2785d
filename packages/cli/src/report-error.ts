/** A refusal as people and programs read it: what, its code, the cause, and the command to try next. */
import type { Terminal } from './terminal.ts'

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
    message: error.message,
    ...(error.cause instanceof Error && !error.message.includes(error.cause.message)
      ? { cause: error.cause.message }
      : {}),
    ...(next === undefined ? {} : { next }),
  }
}

/** By its name: a command that is loaded beside the bundle brings a class of its own. */
function nextOf(error: Error): string {
  return 'next' in error && typeof error.next === 'string' ? error.next : 'agentm help'
}

export function printError(error: unknown, terminal: Terminal): void {
  const { code, message, cause, next } = reportedError(error)
  terminal.err(`${terminal.red('agentm:')} ${indented(message)} ${terminal.dim(`[${code}]`)}\n`)
  if (cause !== undefined) terminal.err(`  because: ${indented(cause)}\n`)
  if (next !== undefined) terminal.err(`  try: ${next}\n`)
  if (code === 'INTERNAL' && error instanceof Error)
    terminal.err(`  This is a fault in agentm. Please report it with these lines:\n${error.stack ?? ''}\n`)
}

/** Messages may hold what others wrote, such as names of files: a line of theirs never begins where one of ours does. */
export function indented(text: string): string {
  return text.trimEnd().replaceAll(/\r\n|[\n\r\u0085\u2028\u2029]/g, '\n      ')
}

const nextSteps: Readonly<Record<string, string>> = {
  STORAGE_SELECTION: 'agentm doctor',
  STORE_UNAVAILABLE: 'agentm doctor',
  LOCK_TIMEOUT: 'the same command again; agentm doctor names the lock',
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
