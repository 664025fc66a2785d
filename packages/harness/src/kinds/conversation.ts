/**
 * The conversation of one run of an agent's step, stored turn by turn in the node log. Each turn stores only the messages that are
 * new since the previous one, so that a long conversation is not stored again and again.
 */
import type { Node, NodeLog } from '@agentm/nodes'
import type { Checkpoint, Message } from '@agentm/agent-loop'
import { fingerprint, freshWatch, nothing } from '@agentm/agent-loop/internal'
import { type FailedCheck, feedbackText } from '../checks/pure/check-texts.ts'
import { observationName } from '../pure/concept-names.ts'
import { observationUsage } from '../pure/observation-usage.ts'
import { goesOn } from './pure/goes-on.ts'
import { joinTurns, sharedStart } from './pure/join-turns.ts'
import type { StepRun } from '../step-kind.ts'
import { turn as concept, type Turn } from '../turn.ts'

const pageSize = 50

export class Conversation {
  readonly #log: NodeLog
  readonly #run: StepRun
  readonly #opening: string
  #kept: readonly Message[] = []

  /** `opening` holds the first messages that the model would get now. */
  constructor(log: NodeLog, { run, opening }: { readonly run: StepRun; readonly opening: readonly Message[] }) {
    this.#log = log
    this.#run = run
    this.#opening = fingerprint(JSON.stringify(opening))
  }

  /**
   * The point that an earlier run of this attempt reached, with the failed checks that came after it; `undefined` if this one
   * starts from the beginning.
   */
  async resume(checks: readonly FailedCheck[] = []): Promise<Checkpoint | undefined> {
    const turns = await this.#turns()
    const last = turns.at(-1)
    if (last === undefined) return undefined
    const checkpoint = joinTurns(turns.map(({ payload }) => payload))
    this.#kept = checkpoint.messages
    const known = (await this.#isTold(last.seq)) ? { ...checkpoint, untold: nothing } : checkpoint
    return this.#heeding(
      known,
      checks.filter(({ seq }) => seq > last.seq),
    )
  }

  /** After a failed check the same calls may make sense again, so repetitions are counted anew. */
  #heeding(checkpoint: Checkpoint, unheard: readonly FailedCheck[]): Checkpoint {
    if (unheard.length === 0) return checkpoint
    const { rounds = unheard.length } = this.#run.step.check ?? {}
    const said = unheard.map((failed) => ({ role: 'user', text: feedbackText(failed, rounds) }) as const)
    return { ...checkpoint, messages: [...checkpoint.messages, ...said], watch: freshWatch, nudged: false }
  }

  async save({ messages, ...state }: Checkpoint): Promise<void> {
    const { planId, id, step } = this.#run
    const keeps = sharedStart(this.#kept, messages)
    const payload = {
      planId,
      stepId: id,
      attempt: step.attempt,
      failures: step.failures ?? 0,
      crashes: step.crashes ?? 0,
      opening: this.#opening,
      keeps,
      messages: messages.slice(keeps),
      state,
    }
    await this.#run.keep([{ concept: concept.name, payload, mutation: 'keepHarnessTurn' }])
    this.#kept = messages
  }

  /** All turns of the conversation, oldest first. */
  async #turns(): Promise<readonly (Node & { readonly payload: Turn })[]> {
    const { owner, id, step } = this.#run
    const turns: (Node & { readonly payload: Turn })[] = []
    let cursor: string | undefined
    do {
      const query = { owner, concepts: [concept.name], parent: id, order: 'newest', limit: pageSize } as const
      const page = await this.#log.scan({ ...query, ...(cursor === undefined ? {} : { cursor }) })
      for (const { redacted, ...node } of page.nodes) {
        const payload = node.payload as Turn
        // An erased turn cannot be read, and later turns make no sense without it.
        if (redacted || (turns.length === 0 && !goesOn(payload, step, this.#opening))) return []
        turns.unshift({ ...node, redacted, payload })
        if (payload.keeps === 0) return turns
      }
      cursor = page.cursor
    } while (cursor !== undefined)
    return []
  }

  /** Whether a later observation already reported what the turn used. */
  async #isTold(since: number): Promise<boolean> {
    const { owner, id } = this.#run
    const query = { owner, concepts: [observationName], parent: id, order: 'newest', limit: pageSize } as const
    const { nodes } = await this.#log.scan(query)
    return nodes.some(({ seq, payload }) => seq > since && observationUsage(payload).tokens > 0)
  }
}
