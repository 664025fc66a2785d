/** Sessions of a plain host, for tests: entries without their places, which are added here. */
import type { TranscriptEvent } from '@agentm/transcripts'

type Placed = 'host' | 'session' | 'record' | 'at'
type WithoutPlace<T> = T extends unknown ? Omit<T, Placed> : never
export type Entry = WithoutPlace<TranscriptEvent> & { readonly id?: string }

const start = Date.UTC(2026, 10, 2, 9)

export function eventsOf(session: string, entries: readonly Entry[]): readonly TranscriptEvent[] {
  return entries.map((entry, i) => ({ host: 'plain', session, record: i + 1, at: start + i * 1000, ...entry }))
}

export const opened = (cwd: string): Entry => ({ type: 'session', cwd })
export const asked = (text: string, id?: string): Entry => ({
  type: 'prompt',
  text,
  ...(id === undefined ? {} : { id }),
})
export const said = (text: string): Entry => ({ type: 'reply', text })

let calls = 0

/** A command and its result. */
export function ran(command: string, { exitCode = 0, output = '' } = {}): readonly Entry[] {
  const id = `call-${(calls += 1)}`
  return [
    { type: 'call', id, tool: 'shell', input: { command }, use: { does: 'command', command } },
    { type: 'result', call: id, text: output, isError: exitCode !== 0, exitCode },
  ]
}

export function edited(file: string): readonly Entry[] {
  const id = `call-${(calls += 1)}`
  return [
    { type: 'call', id, tool: 'edit', input: { file }, use: { does: 'write', files: [file] } },
    { type: 'result', call: id, text: 'ok', isError: false },
  ]
}
