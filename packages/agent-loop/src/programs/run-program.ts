/**
 * Runs a program to its end and keeps the end of its output. If it is aborted or this process dies, its whole process group is
 * ended.
 */
import type { ChildProcess } from 'node:child_process'
import type { Runtime } from '../runtime.ts'
import { endProgram } from './end-program.ts'
import { OutputTail } from './output-tail.ts'
import { ProgramGuard } from './program-guard.ts'

export interface Program {
  readonly command: string
  readonly args: readonly string[]
  /** Whether `command` is a command line for the shell of this machine. */
  readonly interpret?: boolean
  readonly environment: Readonly<Record<string, string>>
  readonly directory: string | undefined
  readonly stdin: string | undefined
  /** The limit for each of the two streams, counted from the end. */
  readonly maxOutputBytes: number
}

export interface ProgramEnd {
  readonly ended: { readonly code: number } | { readonly signal: string } | { readonly error: Error }
  readonly stdout: OutputTail
  readonly stderr: OutputTail
}

interface Around {
  /** Ends the program: first with a request, then by force. */
  readonly signal: AbortSignal
  readonly runtime: Pick<Runtime, 'spawn' | 'sleep'>
}

export async function runProgram(program: Program, around: Around): Promise<ProgramEnd> {
  const { command, args, interpret = false, environment, directory, stdin, maxOutputBytes } = program
  const child = around.runtime.spawn(command, args, {
    env: environment,
    stdio: 'pipe',
    shell: interpret,
    // A process group of its own, so that its children end with it. On Windows, this option would open a window.
    detached: process.platform !== 'win32',
    windowsHide: true,
    ...(directory === undefined ? {} : { cwd: directory }),
  })
  ProgramGuard.of(around.runtime).hold(child)
  const [stdout, stderr] = [new OutputTail(maxOutputBytes), new OutputTail(maxOutputBytes)]
  child.stdout?.on('data', (chunk: Buffer) => stdout.add(chunk))
  child.stderr?.on('data', (chunk: Buffer) => stderr.add(chunk))
  // A program may exit without reading its input.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(stdin)
  return { ended: await endOf(child, around), stdout, stderr }
}

const politeMs = 2000

async function endOf(child: ChildProcess, { signal, runtime }: Around): Promise<ProgramEnd['ended']> {
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
  const ended = await new Promise<ProgramEnd['ended']>((resolve) => {
    child.on('error', (error) => resolve({ error }))
    // A process that left the group may keep the streams open for ever, although the program itself has ended.
    child.on('exit', () => later(() => [child.stdout, child.stderr].forEach((stream) => stream?.destroy())))
    child.on('close', (code, killedBy) => resolve(code === null ? { signal: killedBy ?? 'unknown' } : { code }))
  })
  signal.removeEventListener('abort', stop)
  over.abort()
  return ended
}
