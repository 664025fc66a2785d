/**
 * More processes on the store of a contract. Each runs built code, opens the store through the given module, does one task, and reports in
 * lines of JSON. All end with the contract.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { LogTask } from './log-task.ts'

/** How other processes open the store: a module and its settings. */
export interface LogProcesses {
  /** Importable by Node: exports `openConformanceStore(settings)`, which opens the store with the sample concepts. */
  readonly module: string
  readonly settings: Readonly<Record<string, unknown>>
}

/** One process of a crew. */
export interface Mate {
  /** Lines written so far, parsed. */
  readonly said: readonly unknown[]
  /** Resolves when it has written this many lines. */
  saidSoMany(count: number): Promise<void>
  /** Kills it, without any warning. */
  kill(): Promise<void>
  /** Waits for its normal end and returns its lines. Throws if it failed. */
  done(): Promise<readonly unknown[]>
}

/** More processes on the store of a contract. None of them outlives the contract. */
export class LogCrew {
  readonly #processes: LogProcesses | undefined
  readonly #children = new Set<ChildProcess>()

  constructor(processes: LogProcesses | undefined) {
    this.#processes = processes
  }

  start(task: LogTask): Mate {
    const child = spawn(process.execPath, [script, JSON.stringify({ ...this.#processes, task })], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#children.add(child)
    const said: unknown[] = []
    const waiting = new Set<() => void>()
    createInterface({ input: child.stdout }).on('line', (line) => {
      said.push(JSON.parse(line))
      for (const check of waiting) check()
    })
    let complaint = ''
    child.stderr.on('data', (text: Buffer) => (complaint += text.toString()))
    const closed = once(child, 'close').finally(() => {
      this.#children.delete(child)
      for (const check of waiting) check()
    })
    return {
      said,
      async saidSoMany(count) {
        await new Promise<void>((resolve, reject) => {
          const check = () => {
            if (said.length >= count) resolve()
            else if (child.exitCode !== null || child.signalCode !== null)
              reject(new Error(`a process ended after ${said.length} of ${count} lines: ${complaint}`))
          }
          waiting.add(check)
          check()
        })
      },
      async kill() {
        child.kill('SIGKILL')
        await closed
      },
      async done() {
        await closed
        if (child.exitCode !== 0) throw new Error(`a process of the crew failed: ${complaint}`)
        return said
      },
    }
  }

  async end(): Promise<void> {
    await Promise.all(
      [...this.#children].map(async (child) => {
        const closed = once(child, 'close')
        child.kill('SIGKILL')
        await closed
      }),
    )
  }
}

// The same path from `src` and from `dist`, because a child cannot run TypeScript.
const script = fileURLToPath(new URL('../../../dist/logs/processes/log-process.js', import.meta.url))
