/**
 * Turns what this process writes to the log into spans and measurements. Whoever writes the version that ends an attempt, a step or a plan
 * reports its span: that write has one winner, so no span is reported twice, whatever happens to the processes.
 */
import { type Head, type Node, type NodeLog, scanAll } from '@agentm/nodes'
import { FunctionWatch } from './function-watch.ts'
import { ROOT_CONTEXT, trace } from './otel-api.ts'
import { endAttempt, reportPlan, reportStep, startAttempt } from './plan-spans.ts'
import {
  bookedOn,
  endMutations,
  entryConcept,
  functionKindPrefix,
  observationConcept,
  planConcept,
  planFacts,
  retryMutation,
  stepConcept,
  stepFacts,
} from './pure/node-facts.ts'
import { claimBefore, endsStep, firstClaimAt, stepEndedBefore } from './pure/step-history.ts'
import type { Signals } from './signals.ts'

/** Versions of a step that was never claimed before: written, perhaps made ready, claimed. */
const versionsOfFirstClaim = 3

export class LogWatch {
  readonly #signals: Signals
  readonly #log: Pick<NodeLog, 'history' | 'scan'>
  readonly #functions: FunctionWatch
  readonly #reading = new Set<Promise<void>>()

  constructor(signals: Signals, log: Pick<NodeLog, 'history' | 'scan'>) {
    this.#signals = signals
    this.#log = log
    this.#functions = new FunctionWatch(signals, log)
  }

  /** Steps that this process has claimed. */
  claimed(heads: readonly Head[]): void {
    for (const head of heads) if (head.concept === stepConcept) this.#begin(head)
  }

  /** Versions that this process has written, in one append. */
  written(nodes: readonly Node[]): void {
    for (const [i, node] of nodes.entries())
      if (node.concept === stepConcept) this.#step(node, () => nodes.slice(i + 1).find(({ id }) => id === node.id))
      else if (node.concept === planConcept && endMutations.includes(node.provenanceMutation)) this.#endPlan(node)
      else if (node.concept === entryConcept) this.#later(this.#functions.written(node))
      else if (node.concept === observationConcept) this.#book(node)
  }

  /** Resolves once everything that was written is reported. */
  async settled(): Promise<void> {
    while (this.#reading.size > 0) await Promise.all(this.#reading)
  }

  #begin(head: Head): void {
    const { instruments, live } = this.#signals
    const { kind } = stepFacts(head)
    instruments.claims(1, { 'agentm.step.kind': kind })
    const span = startAttempt(this.#signals, head)
    const { version, createdAt: at } = head
    const traced = span && { span, context: trace.setSpan(ROOT_CONTEXT, span) }
    const isFirst = version <= versionsOfFirstClaim
    const entries = kind.startsWith(functionKindPrefix) ? new Map<string, number>() : undefined
    live.set(head.id, { traced, kind, claimed: version, version, at, isFirst, entries })
  }

  /** `next` finds a later version of the step in the same append. */
  #step(node: Node, next: () => Node | undefined): void {
    const { live } = this.#signals
    this.#count(node)
    const attempt = live.get(node.id)
    const isOver = node.status === 'done' || node.status === 'failed'
    if (attempt?.version !== node.version - 1) {
      live.delete(node.id)
      // Another process made the attempt. What this version does not tell is read from the log.
      if (isOver) this.#later(async () => this.#endOfOther(node, endsStep(node, next())))
      return
    }
    if (node.status === 'running') {
      attempt.version = node.version
      return
    }
    live.delete(node.id)
    endAttempt(this.#signals, { span: attempt.traced?.span, kind: attempt.kind, from: attempt.at }, node)
    if (!isOver || !endsStep(node, next())) return
    this.#later(this.#endFunction(node))
    if (attempt.isFirst) reportStep(this.#signals, node, { from: attempt.at })
    else this.#later(async () => this.#endStep(node))
  }

  #count(node: Node): void {
    const { instruments } = this.#signals
    if (node.provenanceMutation === retryMutation)
      instruments.retries(1, { 'agentm.cause': stepFacts(node).failure?.cause ?? 'none' })
    if (node.status !== 'failed') return
    const { deadLetter, kind } = stepFacts(node)
    if (deadLetter) instruments.deadLetters(1, { 'agentm.step.kind': kind })
  }

  /** The process that made the attempt is gone, or will be told that it is over. */
  async #endOfOther(node: Node, ends: boolean): Promise<void> {
    const claim = claimBefore(await this.#versions(node), node)
    if (claim !== undefined) {
      const { kind } = stepFacts(claim)
      endAttempt(this.#signals, { span: startAttempt(this.#signals, claim), kind, from: claim.createdAt }, node)
    }
    if (!ends) return
    await this.#endStep(node)
    await this.#endFunction(node)?.()
  }

  async #endStep(node: Node): Promise<void> {
    if (!this.#isTraced(node)) return
    const versions = await this.#versions(node)
    const from = firstClaimAt(versions) ?? node.createdAt
    const isAgain = stepEndedBefore(versions, node)
    reportStep(this.#signals, node, { from, isAgain })
  }

  #endPlan(node: Node): void {
    const { startedAt: from = node.createdAt } = planFacts(node)
    reportPlan(this.#signals, node, from)
    if (node.status !== 'done') this.#later(async () => this.#endUnfinished(node))
  }

  /** Steps that were attempted and did not end: their attempts need the span they belong to. */
  async #endUnfinished({ owner, id, createdAt }: Node): Promise<void> {
    const status = ['pending', 'ready', 'blocked']
    if (!this.#signals.places.of(owner, id).isTraced) return
    for (const step of await scanAll(this.#log, { owner, parent: id, concepts: [stepConcept], status })) {
      if (!stepFacts(step).wasStarted) continue
      const from = firstClaimAt(await this.#versions(step)) ?? createdAt
      const ended = { ...step, createdAt }
      reportStep(this.#signals, ended, { from })
      await this.#endFunction(ended)?.()
    }
  }

  /** Reports what a function had not been given when it ended; `undefined` for other steps. */
  #endFunction(step: Node): (() => Promise<void>) | undefined {
    const isFunction = stepFacts(step).kind.startsWith(functionKindPrefix) && this.#isTraced(step)
    return isFunction ? async () => this.#functions.ended(step) : undefined
  }

  #isTraced(step: Node): boolean {
    return this.#signals.places.of(step.owner, stepFacts(step).planId).isTraced
  }

  #book(node: Node): void {
    const { tokens, costMicros } = bookedOn(node)
    if (tokens > 0) this.#signals.instruments.tokens(tokens)
    if (costMicros > 0) this.#signals.instruments.cost(costMicros / 1e6)
  }

  async #versions({ id, owner }: Node): Promise<readonly Node[]> {
    return this.#log.history(id, { owner })
  }

  /** What cannot be read, because the store is closed or damaged, is not reported. The work itself must not notice. */
  #later(report: (() => Promise<void>) | undefined): void {
    if (report === undefined) return
    const reading = report()
      .catch(() => undefined)
      .finally(() => this.#reading.delete(reading))
    this.#reading.add(reading)
  }
}
