/** Runs a coding agent to its end, and hands over what its output says, event by event and in order. */
import { endProgram, type Program, type ProgramEnd, runProgram } from '@agentm/agent-loop/internal'
import type { StepRun } from '@agentm/harness'
import type { Client } from './clients.ts'
import { clockIn } from './clock-in.ts'
import { endStarted } from './end-started.ts'
import { lineReader } from './line-reader.ts'
import type { ClientEvent, Reading } from './pure/client-event.ts'
import { fieldsOf } from './pure/fields.ts'

export interface ClientProgram extends Pick<Program, 'command' | 'args' | 'environment'> {
  readonly directory: string
  readonly prompt: string
}

export interface ClientEnd extends Pick<ProgramEnd, 'ended' | 'stderr'> {
  /** Why the agent was stopped before it ended by itself. */
  readonly stopped: boolean
}

/** `hear` gets the process group, too, and returns `true` to stop the agent. */
export type Hear = (event: ClientEvent, group: number | undefined) => Promise<boolean>

export async function runClient(
  client: Pick<Client, 'line' | 'text'>,
  { prompt, ...program }: ClientProgram,
  { run, hear }: { readonly run: StepRun; readonly hear: Hear },
): Promise<ClientEnd> {
  const stop = new AbortController()
  let heard: Promise<unknown> = Promise.resolve()
  let group: number | undefined
  const take = async (line: string): Promise<void> => {
    for (const event of eventsOf(client, line, readingOf(run))) {
      if (stop.signal.aborted) return
      if (await hear(event, group)) stop.abort()
    }
  }
  const later = (line: string): void => {
    heard = heard.then(() => take(line))
    // What cannot be written to the log ends the run, and is thrown below.
    heard.catch(() => stop.abort())
  }
  const end = await runProgram(
    {
      ...program,
      stdin: prompt,
      maxOutputBytes: keptBytes,
      onStart(child) {
        group = child.pid
        for (const stream of [child.stdout, child.stderr]) {
          const lines = lineReader(later)
          stream?.on('data', (chunk: Buffer) => lines.add(chunk))
          stream?.on('end', () => lines.end())
        }
        // What the agent started and left behind ends with it.
        child.once('exit', () => endProgram(child, 'SIGKILL', run.runtime))
      },
    },
    { signal: AbortSignal.any([run.signal, stop.signal]), runtime: run.runtime },
  )
  await endStarted(run.id)
  await heard
  return { ended: end.ended, stderr: end.stderr, stopped: stop.signal.aborted }
}

/** Of what an agent prints, only the last lines are kept, for messages. */
const keptBytes = 16_384

function eventsOf(
  { line, text }: Pick<Client, 'line' | 'text'>,
  printed: string,
  reading: Reading,
): readonly ClientEvent[] {
  const parsed = jsonOf(printed)
  return parsed === undefined ? text(printed, reading) : line(fieldsOf(parsed), reading)
}

function jsonOf(printed: string): unknown {
  if (!printed.startsWith('{')) return undefined
  try {
    return JSON.parse(printed)
  } catch {
    return undefined
  }
}

function readingOf(run: StepRun): Reading {
  return { now: run.now(), zone: new Intl.DateTimeFormat().resolvedOptions().timeZone, clockIn }
}
