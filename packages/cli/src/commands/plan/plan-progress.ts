/** What is printed while a plan runs: a line for every event and, on a terminal, one line that is updated. */
import { hostname } from 'node:os'
import type { TextPlace } from '@agentm/harness'
import type { Node } from '@agentm/nodes'
import type { WorkerSettings } from '@agentm/workspace'
import type { Call } from '../../command.ts'
import type { LogEvent } from '../../log-terminal.ts'
import type { Terminal } from '../../terminal.ts'
import { planConcept } from './pure/plan-concept.ts'
import type { PlanState } from './plan-state.ts'
import { durationText } from './pure/duration-text.ts'
import { momentText, oneLine } from './pure/state-text.ts'
import { SpokenLines } from './spoken-lines.ts'
import { waitText } from '@agentm/workspace/health'

export class PlanProgress {
  readonly #terminal: Terminal | undefined
  #live = ''
  /** The progress line, shown again when no model is speaking. */
  #standing = ''
  readonly #asked = new Set<string>()
  #hasLooked = false
  /** Kinds that no worker runs and that were already reported. */
  #lacking: ReadonlySet<string> = new Set()
  readonly #spoken = new SpokenLines()
  readonly #hears: boolean

  constructor(terminal: Terminal | undefined, { hears }: { readonly hears: boolean }) {
    this.#terminal = terminal
    this.#hears = hears
  }

  /** For one call: `--json` prints nothing; what models say is printed on a terminal, and with `--stream` everywhere. */
  static of({ json, terminal, has }: Pick<Call, 'json' | 'terminal' | 'has'>): PlanProgress {
    return new PlanProgress(json && terminal.event === undefined ? undefined : terminal, {
      hears: !json && (terminal.width !== undefined || has('stream')),
    })
  }

  /** For a worker: streams model output only if it is printed. */
  get hearing(): Pick<WorkerSettings, 'onText'> {
    return this.#hears ? { onText: (piece, place) => this.#hear(piece, place) } : {}
  }

  /** Whether there is a line to update. */
  get isLive(): boolean {
    return this.#terminal?.width !== undefined
  }

  event(node: Node, oldStatus: string | undefined): void {
    const { id, concept, status, payload } = node
    if (status !== 'running') this.#say(this.#spoken.rest(id))
    if (status === oldStatus || status === undefined || status === 'pending') return
    const reason =
      typeof payload['errorMessage'] === 'string' && status === 'failed'
        ? `: ${payload['errorMessage']}`
        : toldWhen(status, payload['waitsFor'])
    if (this.#terminal?.event !== undefined) return this.#terminal.event(planEvent(node, reason))
    if (concept === planConcept) this.#line(`plan ${status}${reason}`)
    else if (status !== 'ready') this.#line(`${status.padEnd(8)} ${oneLine(`${String(payload['title'])}${reason}`)}`)
  }

  show({ steps, waiting }: PlanState, now: number): void {
    for (const row of waiting) this.#showAsks(row)
    this.#tellElsewhere(waiting)
    this.#tellLacking(waiting)
    const total = Object.values(steps).reduce((sum, count) => sum + count, 0)
    const running = waiting.filter(({ status }) => status === 'running')
    const since = Math.min(...running.map((row) => row.since))
    const titles = running.map(({ title }) => oneLine(title)).join(', ')
    const doing = running.length === 0 ? '' : ` · ${titles} (${durationText(now - since)})`
    this.#standing = `${steps['done'] ?? 0}/${total} done${doing}`
    this.#draw(this.#standing)
  }

  #showAsks({ ask, alsoAsks = [], stepId, title, help }: PlanState['waiting'][number]): void {
    for (const { questionId, text } of ask === undefined ? [] : [ask, ...alsoAsks]) {
      const key = `${stepId} ${questionId}`
      if (this.#asked.has(key)) continue
      this.#asked.add(key)
      const which = questionId === ask?.questionId ? '' : ` --question ${questionId}`
      this.#line(
        `asks     ${oneLine(title)}: ${oneLine(text)}${help === undefined ? '' : `\n         ${help}${which}`}`,
      )
    }
  }

  /** Steps that other workers were already running. */
  #tellElsewhere(waiting: PlanState['waiting']): void {
    if (this.#hasLooked) return
    this.#hasLooked = true
    for (const { title, runner } of waiting)
      if (runner !== undefined && (runner.pid !== `${process.pid}` || runner.host !== hostname()))
        this.#line(`running  ${oneLine(title)}, on ${oneLine(runner.host)}, process ${oneLine(runner.pid)}`)
  }

  #tellLacking(waiting: PlanState['waiting']): void {
    const lacking = new Map(waiting.flatMap((row) => (row.lacks === undefined ? [] : [[row.lacks, row] as const])))
    for (const [kind, { waitsFor, help }] of lacking)
      if (!this.#lacking.has(kind))
        this.#line(`waits    for ${oneLine(waitText(waitsFor))}${help === undefined ? '' : `\n         ${help}`}`)
    this.#lacking = new Set(lacking.keys())
  }

  note(text: string): void {
    this.#line(oneLine(text))
  }

  close(): void {
    this.#standing = ''
    this.#say(this.#spoken.all())
    this.#draw('')
  }

  #hear(piece: string, place: TextPlace): void {
    this.#say(this.#spoken.add(piece, place))
    const { title, text } = this.#spoken.current(place.stepId) ?? { title: '', text: '' }
    const [{ width = 0 } = {}, name] = [this.#terminal, `${oneLine(title)}: `]
    // The end of the current sentence; the whole sentence is printed when it is complete.
    if (text.trim() !== '') this.#draw(`${name}${oneLine(text).slice(-Math.max(1, width - name.length - 1))}`)
  }

  #say(lines: readonly string[]): void {
    if (lines.length > 0) this.#draw(this.#standing)
    for (const line of lines) this.#line(`says     ${oneLine(line)}`)
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

/** Erases the line of the cursor. */
const erase = '\r\u001B[2K'

/** For a log that programs read. */
function planEvent({ id, concept, status = '', payload, version }: Node, reason: string): LogEvent {
  const isPlan = concept === planConcept
  const { title, planId, kind, attempt, session } = payload
  return {
    level: status === 'failed' ? 'warn' : 'info',
    event: `${isPlan ? 'plan' : 'step'}.${status}`,
    message: oneLine(`${isPlan ? 'plan' : String(title)} ${status}${reason}`),
    plan: isPlan ? id : String(planId),
    ...(!isPlan && { step: id, kind: typeof kind === 'string' ? kind : 'agent' }),
    ...(typeof attempt === 'number' && { attempt }),
    version,
    ...(typeof session === 'string' && { worker: session }),
  }
}

/** Why a step waits, and until when. */
function toldWhen(status: string, waitsFor: unknown): string {
  if (status !== 'blocked' || typeof waitsFor !== 'object' || waitsFor === null) return ''
  const { until, message }: { until?: unknown; message?: unknown } = waitsFor
  if (typeof until !== 'number' || typeof message !== 'string') return ''
  return `: waits until ${momentText(until)}: ${message}`
}
