/** What is told while a plan runs: a line for everything that happened, and on a screen one line that is kept up to date. */
import type { Node } from '@agentm/nodes'
import type { Terminal } from '../../terminal.ts'
import { planConcept } from './find-row.ts'
import type { PlanState } from './plan-state.ts'
import { durationText } from './pure/duration-text.ts'
import { oneLine } from './pure/state-text.ts'

export class PlanProgress {
  readonly #terminal: Terminal | undefined
  #live = ''
  readonly #asked = new Set<string>()

  /** Without a terminal, nothing is told. */
  constructor(terminal: Terminal | undefined) {
    this.#terminal = terminal
  }

  /** There is a line to keep up to date. */
  get isLive(): boolean {
    return this.#terminal?.width !== undefined
  }

  event({ concept, status, payload }: Node, oldStatus: string | undefined): void {
    if (status === oldStatus || status === undefined || status === 'pending') return
    const reason =
      typeof payload['errorMessage'] === 'string' && status === 'failed' ? `: ${payload['errorMessage']}` : ''
    if (concept === planConcept) this.#line(`plan ${status}${reason}`)
    else if (status !== 'ready') this.#line(`${status.padEnd(8)} ${oneLine(`${String(payload['title'])}${reason}`)}`)
  }

  show({ steps, waiting }: PlanState, now: number): void {
    for (const { ask, stepId, title, help } of waiting)
      if (ask !== undefined && !this.#asked.has(`${stepId} ${ask.questionId}`)) {
        this.#asked.add(`${stepId} ${ask.questionId}`)
        this.#line(`asks     ${oneLine(title)}: ${oneLine(ask.text)}${help === undefined ? '' : `\n         ${help}`}`)
      }
    const total = Object.values(steps).reduce((sum, count) => sum + count, 0)
    const running = waiting.filter(({ status }) => status === 'running')
    const since = Math.min(...running.map((row) => row.since))
    const titles = running.map(({ title }) => oneLine(title)).join(', ')
    const doing = running.length === 0 ? '' : ` · ${titles} (${durationText(now - since)})`
    this.#draw(`${steps['done'] ?? 0}/${total} done${doing}`)
  }

  note(text: string): void {
    this.#line(oneLine(text))
  }

  close(): void {
    this.#draw('')
  }

  #line(text: string): void {
    const { width } = this.#terminal ?? {}
    if (width === undefined) this.#terminal?.err(`${text}\n`)
    else this.#terminal?.err(`${erase}${text}\n${this.#live}`)
  }

  #draw(text: string): void {
    const { width } = this.#terminal ?? {}
    if (width === undefined) return
    this.#live = Array.from(text)
      .slice(0, Math.max(0, width - 1))
      .join('')
    this.#terminal?.err(`${erase}${this.#live}`)
  }
}

/** The line the cursor is on. */
const erase = '\r\u001B[2K'
