/** A program that runs while the agent does something else. */
import type { ChildProcess } from 'node:child_process'
import { endOfProgram, type ProgramEnding, startProgram } from '../../programs/start-program.ts'
import type { Runtime } from '../../runtime.ts'
import type { ShellProgram } from './shell-program.ts'
import { UnreadOutput } from './unread-output.ts'

export class RunningProgram {
  readonly name: string
  readonly #child: ChildProcess
  readonly #output: UnreadOutput
  readonly #stop = new AbortController()
  readonly #over: Promise<ProgramEnding>
  readonly #runtime: Pick<Runtime, 'spawn' | 'sleep'>
  #ending: ProgramEnding | undefined
  #news = new AbortController()

  constructor(
    program: ShellProgram,
    {
      maxOutputBytes,
      runtime,
    }: { readonly maxOutputBytes: number; readonly runtime: Pick<Runtime, 'spawn' | 'sleep'> },
  ) {
    this.name = program.name
    this.#runtime = runtime
    this.#output = new UnreadOutput(maxOutputBytes)
    this.#child = startProgram(program, runtime)
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        this.#output.add(chunk)
        this.#tell()
      })
    this.#over = endOfProgram(this.#child, { signal: this.#stop.signal, runtime }).then((ending) => {
      this.#ending = ending
      this.#tell()
      return ending
    })
  }

  get ending(): ProgramEnding | undefined {
    return this.#ending
  }

  /** Resolves once the program runs, or could not be started. */
  async started(): Promise<ProgramEnding | undefined> {
    if (this.#child.pid !== undefined) return undefined
    return this.#over
  }

  /** Waits until there is something to read, for at most this long. */
  async news(withinMs: number, signal: AbortSignal): Promise<void> {
    if (withinMs <= 0 || !this.#output.isEmpty || this.#ending !== undefined) return
    const until = AbortSignal.any([signal, this.#news.signal])
    await this.#runtime.sleep(withinMs, until).catch(() => undefined)
  }

  /** What it wrote since the last time, both streams in the order in which it arrived. */
  take(): { readonly text: string; readonly droppedBytes: number } {
    return this.#output.take()
  }

  write(text: string, isLast: boolean): boolean {
    const { stdin } = this.#child
    if (stdin === null || !stdin.writable) return false
    if (isLast) stdin.end(text)
    else stdin.write(text)
    return true
  }

  async stop(): Promise<ProgramEnding> {
    this.#stop.abort()
    return this.#over
  }

  #tell(): void {
    this.#news.abort()
    this.#news = new AbortController()
  }
}
