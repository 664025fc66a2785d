/** Starts a program in a process group of its own, which ends with it, and with this process. */
import type { ChildProcess } from 'node:child_process'
import type { Runtime } from '../runtime.ts'
import { endProgram } from './end-program.ts'
import { ProgramGuard } from './program-guard.ts'

/** What it takes to start a program: its command and arguments, and what it sees. */
export interface StartedProgram {
  readonly command: string
  readonly args: readonly string[]
  /** Whether `command` is a command line for the shell of this machine. */
  readonly interpret?: boolean
  readonly environment: Readonly<Record<string, string>>
  readonly directory: string | undefined
}

export type ProgramEnding = { readonly code: number } | { readonly signal: string } | { readonly error: Error }

export interface Around {
  /** Ends the program: first with a request, then by force. */
  readonly signal: AbortSignal
  readonly runtime: Pick<Runtime, 'spawn' | 'sleep'>
}

export function startProgram(
  { command, args, interpret = false, environment, directory }: StartedProgram,
  runtime: Pick<Runtime, 'spawn'>,
): ChildProcess {
  const child = runtime.spawn(command, args, {
    env: environment,
    stdio: 'pipe',
    shell: interpret,
    // A process group of its own, so that its children end with it. On Windows, this option would open a window.
    detached: process.platform !== 'win32',
    windowsHide: true,
    ...(directory === undefined ? {} : { cwd: directory }),
  })
  ProgramGuard.of(runtime).hold(child)
  // A program may exit without reading its input.
  child.stdin?.on('error', () => undefined)
  return child
}

const politeMs = 2000

/** Resolves when the program has ended, by itself or because the signal asked it to. */
export async function endOfProgram(child: ChildProcess, { signal, runtime }: Around): Promise<ProgramEnding> {
  const over = new AbortController()
  const later = (act: () => void): void => {
    void runtime.sleep(politeMs, over.signal).then(act, () => undefined)
  }
  const stop = (): void => {
    endProgram(child, 'SIGTERM', runtime)
    later(() => endProgram(child, 'SIGKILL', runtime))
  }
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  const ended = await new Promise<ProgramEnding>((resolve) => {
    child.on('error', (error) => resolve({ error }))
    // A process that left the group may keep the streams open for ever, although the program itself has ended.
    child.on('exit', () => later(() => [child.stdout, child.stderr].forEach((stream) => stream?.destroy())))
    child.on('close', (code, killedBy) => resolve(code === null ? { signal: killedBy ?? 'unknown' } : { code }))
  })
  signal.removeEventListener('abort', stop)
  over.abort()
  return ended
}
