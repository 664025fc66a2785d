/**
 * Turns what a durable function records into spans. Whoever writes the version that the function is given reports it. That version is
 * final, so nothing is reported twice, and a later pass, which only reads it, reports nothing.
 */
import { type Node, type NodeLog, scanAll } from '@agentm/nodes'
import {
  reportEntry,
  reportEntryAttempt,
  reportGivenUp,
  reportNote,
  type TracedEntry,
  tracedEntry,
} from './function-spans.ts'
import { firstAttemptAt, isQuestion, lostAttempts, questionStates, wasSeenRunning } from './pure/lost-attempts.ts'
import { entryConcept } from './pure/node-facts.ts'
import { attemptPlace, entryAttemptPlace, type SpanPlace } from './pure/span-ids.ts'
import { claimAt } from './pure/step-history.ts'
import type { Signals } from './signals.ts'

const notes: readonly string[] = ['emit', 'show', 'patch', 'cancel']

export class FunctionWatch {
  readonly #signals: Signals
  readonly #log: Pick<NodeLog, 'history' | 'scan'>

  constructor(signals: Signals, log: Pick<NodeLog, 'history' | 'scan'>) {
    this.#signals = signals
    this.#log = log
  }

  /** A version that this process wrote. What has to be read for its report is returned, to be done later. */
  written(node: Node): (() => Promise<void>) | undefined {
    const entry = tracedEntry(this.#signals, node)
    if (entry === undefined || entry.facts.isCarried || isQuestion(node)) return undefined
    const { op, hasRetry, startedAt: from = node.createdAt } = entry.facts
    const isOver = node.status === 'done' || (node.status === 'failed' && !hasRetry)
    if (op === 'step') return this.#step(entry, isOver)
    if (notes.includes(op)) reportNote(this.#signals, entry)
    else if (isOver) reportEntry(this.#signals, entry, { from })
    return undefined
  }

  /** The function has ended, and was not given everything that it had asked for. */
  async ended(step: Node): Promise<void> {
    const { id: parent, owner } = step
    const status = ['waiting', 'running', 'failed', ...questionStates]
    for (const node of await scanAll(this.#log, { owner, parent, concepts: [entryConcept], status })) {
      const entry = tracedEntry(this.#signals, node)
      if (entry === undefined || (node.status === 'failed' && !entry.facts.hasRetry)) continue
      reportGivenUp(this.#signals, entry, step)
    }
  }

  #step(entry: TracedEntry, isOver: boolean): (() => Promise<void>) | undefined {
    const { node, facts } = entry
    const ownVersions = this.#countOwn(entry)
    if (node.status === 'running') return undefined
    const failed = facts.failures - (node.status === 'failed' ? 1 : 0)
    const { startedAt: from = node.createdAt } = facts
    const at = this.#placeOf(entry, failed)
    const ended = node.status === 'failed' ? 'failed' : 'done'
    const reportAttempt = () => reportEntryAttempt(this.#signals, entry, { attempt: failed, at, from, ended })
    if (!isOver) reportAttempt()
    else if (failed <= 0 && ownVersions === node.version) reportEntry(this.#signals, entry, { from, at })
    else
      return async () => {
        const versions = await this.#versions(node)
        const isAttempt = ownVersions > 1 || !wasSeenRunning(versions.slice(0, -1), node)
        const lost = lostAttempts(versions, isAttempt)
        await this.#reportLost(entry, lost)
        if (failed === 0 && isAttempt && lost.length === 0) return reportEntry(this.#signals, entry, { from, at })
        if (isAttempt) reportAttempt()
        reportEntry(this.#signals, entry, { from: firstAttemptAt(versions) ?? from })
      }
    return undefined
  }

  /** How many versions of it the attempt that runs here has written, with this one. */
  #countOwn({ node, facts }: TracedEntry): number {
    const { live } = this.#signals
    const entries = live.get(facts.stepId)?.entries
    const count = (entries?.get(node.id) ?? 0) + 1
    if (node.status === 'running') entries?.set(node.id, count)
    else entries?.delete(node.id)
    return count
  }

  #placeOf({ facts: { stepId, position }, plan }: TracedEntry, attempt: number): SpanPlace {
    const claimed = this.#signals.live.get(stepId)?.claimed ?? 0
    return entryAttemptPlace(attemptPlace(plan, stepId, claimed), { position, attempt })
  }

  async #reportLost(entry: TracedEntry, lost: ReturnType<typeof lostAttempts>): Promise<void> {
    if (lost.length === 0) return
    const { node, facts, plan } = entry
    const claims = await this.#log.history(facts.stepId, { owner: node.owner })
    for (const { attempt, from, until } of lost) {
      const pass = attemptPlace(plan, facts.stepId, claimAt(claims, from)?.version ?? 0)
      const at = entryAttemptPlace(pass, { position: facts.position, attempt })
      reportEntryAttempt(this.#signals, entry, { attempt, at, from, until, ended: 'lost' })
    }
  }

  /** Up to this one. */
  async #versions({ id, owner, version: last }: Node): Promise<readonly Node[]> {
    const versions = await this.#log.history(id, { owner })
    return versions.filter(({ version }) => version <= last)
  }
}
