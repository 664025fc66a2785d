/** The handle with which the contract's process controls one process of a crew. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import type { Readable } from 'node:stream'
import { builtProgram } from './built-program.ts'
import { CrewRefusedError } from './crew-refused-error.ts'
import type { Order, Posting, Reply } from './order.ts'

export class CrewMember {
  readonly #child: ChildProcess
  readonly #lines: AsyncIterator<string>
  readonly #gone: Promise<unknown>
  #complaint = ''

  constructor(posting: Posting, env: Readonly<Record<string, string>>) {
    this.#child = spawn(process.execPath, [builtProgram('crew-member'), JSON.stringify(posting)], {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    })
    this.#gone = once(this.#child, 'close').catch(() => undefined)
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#complaint += text))
    // Orders to a killed process are lost, so the error is ignored.
    this.#child.stdin?.on('error', () => undefined)
    this.#lines = linesOf(this.#child)
  }

  /** Sends the order and returns its outcome. */
  async ask(order: Order): Promise<Outcome> {
    this.tell(order)
    const reply = await this.#next()
    if (reply.is === 'answer') return { ok: true, value: reply.value }
    if (reply.is === 'refusal') return { ok: false, code: reply.code, message: reply.message }
    throw new TypeError(`a crew member said "${reply.is}" instead of answering`)
  }

  /** Returns the answer, and fails the contract for any other outcome. */
  async get(order: Order): Promise<unknown> {
    const outcome = await this.ask(order)
    if (outcome.ok) return outcome.value
    throw new CrewRefusedError(`${order.do} of ${order.key} in another process: ${outcome.code}: ${outcome.message}`)
  }

  tell(order: Order): void {
    this.#child.stdin?.write(`${JSON.stringify(order)}\n`)
  }

  /** Waits until the process has sent this message. */
  async hear(what: 'ready' | 'inside' | 'writing'): Promise<void> {
    const reply = await this.#next()
    if (reply.is === what) return
    throw new CrewRefusedError(`wanted a crew member to be ${what}, and it said ${JSON.stringify(reply)}`)
  }

  /** SIGKILL: no handler runs, nothing is cleaned up. */
  async kill(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill('SIGKILL')
    await this.#gone
  }

  async #next(): Promise<Reply> {
    const { done, value } = await this.#lines.next()
    if (done !== true) return JSON.parse(value) as Reply
    await this.#gone
    throw new CrewRefusedError(`a process of the crew ended by itself: ${this.#complaint.trim() || 'it said nothing'}`)
  }
}

export type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: string; readonly message: string }

function linesOf(child: ChildProcess): AsyncIterator<string> {
  const lines: Interface = createInterface({ input: child.stdio[3] as Readable })
  return lines[Symbol.asyncIterator]()
}
