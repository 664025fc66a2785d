/** Writes what a coding agent does into the log of its step, and books what it uses, once each. */
import type { StepRun } from '@agentm/harness'
import { redactSecrets, redactValue } from '@agentm/nodes'
import path from 'node:path'
import type { ClientEvent, ClientUsage } from './pure/client-event.ts'
import type { EarlierWork, SessionMark, SessionPlace } from './pure/earlier-work.ts'
import { tokenCost, type TokenPrice } from './pure/token-cost.ts'

export interface RecordOptions {
  readonly place: SessionPlace
  /** What earlier runs of the session left. */
  readonly earlier: EarlierWork | undefined
  /** What the agent's own figures of the session begin with (default: what earlier runs booked). */
  readonly start: ClientUsage | undefined
  /** A hash of the further prompt of this run. */
  readonly told: string | undefined
  readonly price: TokenPrice | undefined
}

type Booked = { readonly tokens: number; readonly costMicros: number }
const nothing: Booked = { tokens: 0, costMicros: 0 }

export class ClientRecord {
  readonly #run: StepRun
  readonly #options: RecordOptions
  readonly #calls = new Map<string, ClientEvent & { readonly is: 'call' }>()
  readonly #replies = new Map<string, Booked>()
  readonly #files: Set<string>
  /** What it said last, since its last call. */
  #said = ''
  /** How much of it is written. */
  #written = 0
  #session: string | undefined
  #booked = nothing
  /** What the session had used before this run, if it is known. */
  readonly #start: Booked
  /** What earlier runs used and could not book, because they were lost. */
  readonly #lost: Booked
  /** Used, and not yet written. */
  #untold = nothing
  #hasSpent = false
  #done = 0
  #refused: string[] = []

  constructor(run: StepRun, options: RecordOptions) {
    this.#run = run
    this.#options = options
    this.#files = new Set(options.earlier?.files)
    const booked = options.earlier ?? nothing
    this.#start = options.start === undefined ? booked : this.#costOf(options.start)
    this.#lost = beyond(this.#start, booked)
  }

  /** The session that this run works in, as soon as it is known. */
  get sessionId(): string {
    return this.#session ?? ''
  }

  /** The replies of the model in this run. If the agent does not report them, each of its calls counts as one. */
  get turns(): number {
    return this.#replies.size > 0 ? this.#replies.size : this.#calls.size
  }

  /** Whether it said or did anything. */
  get hasWorked(): boolean {
    return this.#said !== '' || this.#done + this.#refused.length > 0
  }

  /** The tools it was refused, if it was refused all it tried. */
  get onlyRefused(): readonly string[] {
    return this.#done === 0 ? [...new Set(this.#refused)] : []
  }

  /** Whether something was booked since this was asked last. */
  takeSpending(): boolean {
    const has = this.#hasSpent
    this.#hasSpent = false
    return has
  }

  result(text: string | undefined): Readonly<Record<string, unknown>> {
    const { earlier } = this.#options
    return {
      text: redactSecrets(text ?? this.#said),
      session: this.#session ?? '',
      ...plus(plus({ tokens: earlier?.tokens ?? 0, costMicros: earlier?.costMicros ?? 0 }, this.#lost), this.#booked),
      files: [...this.#files].toSorted(),
    }
  }

  async session(id: string, group: number | undefined): Promise<void> {
    if (this.#session !== undefined || id === '') return
    this.#session = id
    const { place, earlier, told } = this.#options
    const verb = earlier?.session === id ? 'resumes' : 'begins'
    const data = {
      isSession: true,
      ...place,
      ...(group !== undefined && { group }),
      ...(told !== undefined && { told }),
    }
    await this.#observe('note', `${place.client} ${verb} the session ${id}`, data)
  }

  /** Books what a lost run used. */
  async bookLost(): Promise<void> {
    const { earlier, place } = this.#options
    if (earlier === undefined || this.#lost.tokens + this.#lost.costMicros === 0) return
    const mark: SessionMark = { client: place.client, session: earlier.session }
    const content = `the lost run of this session ${usedText(this.#lost)}`
    await this.#run.observe({ kind: 'note', content, data: { ...mark, ...fieldsOfUse(this.#lost) } })
  }

  /** The session cannot be resumed any more. */
  async over(why: string): Promise<void> {
    await this.#observe('note', why, { isOver: true })
  }

  reply({ id, used }: ClientEvent & { readonly is: 'reply' }): void {
    const before = this.#replies.get(id) ?? nothing
    const now = this.#costOf(used)
    this.#replies.set(id, larger(before, now))
    this.#use(beyond(now, before))
  }

  async text({ text, isPiece }: ClientEvent & { readonly is: 'text' }): Promise<void> {
    if (isPiece === true) {
      this.#said += text
      return
    }
    if (this.#said.length > this.#written) await this.flush()
    this.#said = text
    this.#written = 0
    await this.flush()
  }

  async call(event: ClientEvent & { readonly is: 'call' }): Promise<void> {
    const isNew = !this.#calls.has(event.id)
    this.#calls.set(event.id, event)
    // A call may take long. What was said and used before it is known now.
    if (isNew) await this.flush(`calls ${event.tool}`)
    this.#said = ''
    this.#written = 0
  }

  async outcome({ call: id, text, failed, refused }: ClientEvent & { readonly is: 'result' }): Promise<void> {
    const call = this.#calls.get(id)
    const tool = call?.tool ?? 'a tool'
    if (refused) this.#refused.push(tool)
    else this.#done += 1
    const files = failed
      ? []
      : (call?.files ?? []).map((file) =>
          path.relative(this.#options.place.directory, path.resolve(this.#options.place.directory, file)),
        )
    for (const file of files) this.#files.add(file)
    const args = argsOf(call?.args)
    const content = `${tool}${refused ? ' was refused' : failed ? ' failed' : ''}: ${shown(args, 300)}${text === '' ? '' : `\n${shown(text)}`}`
    const data = { toolName: tool, args: redactValue(shown(args)), output: shown(text), toolCalls: 1 }
    const more = { ...(files.length > 0 && { files }), ...(refused && { refused: true }) }
    await this.#observe(failed ? 'error' : 'tool_result', content, { ...data, ...more })
  }

  /** Books what the total has that was not booked reply by reply. */
  async total({ of, used }: ClientEvent & { readonly is: 'usage' }): Promise<void> {
    if (of === 'session') this.usedSoFar(used)
    else this.#use(beyond(this.#costOf(used), this.#booked))
    await this.flush()
  }

  /** What the session has used, runs before this one included. It is booked with what is written next. */
  usedSoFar(used: ClientUsage): void {
    this.#use(beyond(this.#costOf(used), plus(this.#booked, this.#start)))
  }

  /** Writes what was said and used, and is not yet written. */
  async flush(otherwise?: string): Promise<void> {
    const text = this.#said.slice(this.#written).trim()
    this.#written = this.#said.length
    const { tokens, costMicros } = this.#untold
    if (text !== '') await this.#observe('note', shown(text), { reply: shown(text) })
    else if (tokens + costMicros > 0) await this.#observe('note', otherwise ?? usedText(this.#untold), {})
  }

  async problem(message: string): Promise<void> {
    await this.#observe('error', shown(message), { message: shown(message), toolCalls: 0 })
  }

  #use(amount: Booked): void {
    this.#untold = plus(this.#untold, amount)
    this.#booked = plus(this.#booked, amount)
  }

  /** The figure of the agent; without one, by the price. */
  #costOf({ tokens, costMicros }: ClientUsage): Booked {
    const { price } = this.#options
    const byPrice = price === undefined ? 0 : tokenCost(tokens, price)
    return { tokens: tokens.input + tokens.output, costMicros: costMicros ?? byPrice }
  }

  async #observe(kind: 'note' | 'error' | 'tool_result', content: string, data: object): Promise<void> {
    const { tokens, costMicros } = this.#untold
    this.#untold = nothing
    const mark: Partial<SessionMark> = {
      client: this.#options.place.client,
      ...(this.#session !== undefined && { session: this.#session }),
    }
    this.#hasSpent ||= tokens + costMicros > 0
    const used = fieldsOfUse({ tokens, costMicros })
    await this.#run.observe({ kind, content: redactSecrets(content), data: { ...data, ...mark, ...used } })
  }
}

function plus(a: Booked, b: Booked): Booked {
  return { tokens: a.tokens + b.tokens, costMicros: a.costMicros + b.costMicros }
}

function beyond(a: Booked, b: Booked): Booked {
  return { tokens: Math.max(0, a.tokens - b.tokens), costMicros: Math.max(0, a.costMicros - b.costMicros) }
}

function larger(a: Booked, b: Booked): Booked {
  return { tokens: Math.max(a.tokens, b.tokens), costMicros: Math.max(a.costMicros, b.costMicros) }
}

function fieldsOfUse({ tokens, costMicros }: Booked): Partial<Booked> {
  return { ...(tokens > 0 && { tokens }), ...(costMicros > 0 && { costMicros }) }
}

function usedText({ tokens, costMicros }: Booked): string {
  const parts = [
    ...(tokens > 0 ? [`used ${tokens} tokens`] : []),
    ...(costMicros > 0 ? [`cost ${costMicros / 1_000_000} dollars`] : []),
  ]
  return parts.join(', ')
}

/** A command is more readable than its JSON. */
function argsOf(args: unknown): string {
  const command = typeof args === 'object' && args !== null && 'command' in args ? args.command : undefined
  return typeof command === 'string' ? command : (JSON.stringify(args) ?? '')
}

function shown(text: string, most = 4000): string {
  const safe = redactSecrets(text)
  return safe.length <= most ? safe : `${safe.slice(0, most)}…`
}
