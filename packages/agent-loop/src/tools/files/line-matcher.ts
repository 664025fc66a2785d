/**
 * Finds the lines of a text that match. A regular expression runs in a thread of its own, because some take longer than anybody can
 * wait, and JavaScript cannot interrupt one. The thread is ended when the time is over, and the worker goes on meanwhile.
 */
import { Worker } from 'node:worker_threads'
import { ToolError } from '../../loop/tool-error.ts'
import type { LoopRuntime } from '../../loop/attempt-call.ts'

export interface LineMatcher {
  /** The numbers of the lines that match, counted from 0. */
  matches(text: string): Promise<readonly number[]>
  close(): Promise<void>
}

export interface Wanted {
  readonly pattern: string
  readonly isRegex: boolean
  readonly ignoreCase: boolean
}

export interface Around {
  /** How long the expression may take for all texts together. */
  readonly withinMs: number
  readonly signal: AbortSignal
  readonly runtime: LoopRuntime
}

export function lineMatcher(wanted: Wanted, around: Around): LineMatcher {
  return wanted.isRegex ? new ThreadMatcher(wanted, around) : plainMatcher(wanted)
}

function plainMatcher({ pattern, ignoreCase }: Wanted): LineMatcher {
  const folded = (text: string): string => (ignoreCase ? text.toLowerCase() : text)
  const needle = folded(pattern)
  return {
    async matches(text) {
      if (!folded(text).includes(needle)) return []
      return text.split('\n').flatMap((line, i) => (folded(line).includes(needle) ? [i] : []))
    },
    close: async () => undefined,
  }
}

class ThreadMatcher implements LineMatcher {
  readonly #thread: Worker
  readonly #failed: Promise<never>
  readonly #over = new AbortController()

  constructor({ pattern, ignoreCase }: Wanted, { withinMs, signal, runtime }: Around) {
    checkRegex(pattern)
    const flags = ignoreCase ? 'iu' : 'u'
    this.#thread = new Worker(new URL('../../../bin/match-thread.mjs', import.meta.url), {
      env: {},
      execArgv: [],
      workerData: { pattern, flags },
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    this.#failed = new Promise((_, reject) => {
      this.#thread.once('error', reject)
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true, signal: this.#over.signal })
      runtime.sleep(withinMs, this.#over.signal).then(
        () => reject(tooLong(pattern, withinMs)),
        () => undefined,
      )
    })
    this.#failed.catch(() => undefined)
  }

  async matches(text: string): Promise<readonly number[]> {
    const found = new Promise<readonly number[]>((resolve) => {
      this.#thread.once('message', resolve)
    })
    this.#thread.postMessage(text, [])
    return Promise.race([found, this.#failed])
  }

  async close(): Promise<void> {
    this.#over.abort()
    await this.#thread.terminate()
  }
}

function checkRegex(pattern: string): void {
  try {
    void new RegExp(pattern, 'u')
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new ToolError('validation', `${why}. Escape characters such as ( and [, or search without regex.`, { cause })
  }
}

function tooLong(pattern: string, ms: number): ToolError {
  return new ToolError(
    'validation',
    `the expression ${pattern} took longer than ${ms} ms and was stopped; use a simpler one, such as one without nested repetitions`,
  )
}
