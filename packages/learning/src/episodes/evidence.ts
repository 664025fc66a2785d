/**
 * Counts the witnesses of a statement. Plans with the same goal are one witness, however often they ran. An agent that repeats what
 * a tool printed is no witness.
 */
import { type Head, scanHeads } from '@agentm/nodes'
import type { ConsolidationContext } from '../consolidation/consolidation-context.ts'
import { holdsStatement } from './pure/echo.ts'
import { type Episode, episodeOf } from './pure/episode.ts'
import { goalKey } from './pure/goal-key.ts'

const [observation, step, plan] = ['v1:harness:observation', 'v1:harness:step', 'v1:harness:plan']
// How far plans are followed upwards: a plan that a step started has the goal of the first plan.
const mostParents = 10
// The most tool output that is kept, of the plans read last.
const mostCharactersKept = 8_000_000
// The most tool outputs that are compared with a statement, nearest first.
const mostHits = 30

interface Printed {
  readonly seq: number
  readonly text: string
}

export class Evidence {
  readonly #context: Pick<ConsolidationContext, 'store'>
  readonly #owner: string
  readonly #goals = new Map<string, string>()
  readonly #plans = new Map<string, string | undefined>()
  readonly #printed = new Map<string, readonly Printed[]>()
  #kept = 0

  constructor(context: Pick<ConsolidationContext, 'store'>, owner: string) {
    this.#context = context
    this.#owner = owner
  }

  /** The witnesses: one key for each goal, and one for each episode without a plan. */
  async witnesses(episodes: readonly Pick<Episode, 'id' | 'planId'>[]): Promise<ReadonlySet<string>> {
    await this.#readGoals(episodes.flatMap(({ planId }) => planId ?? []))
    return new Set(episodes.map(({ id, planId }) => (planId === undefined ? id : (this.#goals.get(planId) ?? planId))))
  }

  async witness(episode: Pick<Episode, 'id' | 'planId'>): Promise<string> {
    const [key = episode.id] = await this.witnesses([episode])
    return key
  }

  /** The same for episodes that are known only by id, such as the sources of a belief. */
  async witnessesOf(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const unknown = ids.filter((id) => !this.#plans.has(id))
    if (unknown.length > 0) {
      for await (const head of this.#heads({ ids: unknown })) this.#plans.set(head.id, planOf(head))
      for (const id of unknown) if (!this.#plans.has(id)) this.#plans.set(id, undefined)
    }
    return this.witnesses(ids.map((id) => ({ id, planId: this.#plans.get(id) })))
  }

  /** The episodes that do not merely repeat a tool. */
  async firstHand(statement: string, episodes: readonly Episode[]): Promise<readonly Episode[]> {
    const own = episodes.filter(({ voice }) => voice === 'own').toSorted((a, b) => a.seq - b.seq)
    const [first] = own
    if (first === undefined || (await this.#wasPrintedBefore(statement, first))) return []
    const heard: Episode[] = []
    for (const episode of own) if (!(await this.isEcho(statement, episode))) heard.push(episode)
    return heard
  }

  /** Whether a tool printed the statement earlier in the same plan. */
  async isEcho(statement: string, { planId, seq }: Episode): Promise<boolean> {
    if (planId === undefined) return false
    const printed = await this.#printedIn(planId)
    return printed.some((each) => each.seq < seq && holdsStatement(each.text, statement))
  }

  /** Whether a tool anywhere in the project printed it before anybody said it. Then the speaker may have it from there. */
  async #wasPrintedBefore(statement: string, { seq, partition }: Episode): Promise<boolean> {
    const { hits } = await this.#context.store.recall.recall({
      owner: this.#owner,
      concepts: [observation],
      partitions: [partition],
      text: longestWords(statement),
      wSem: 0,
      wLex: 1,
      wRec: 0,
      k: mostHits,
    })
    const ids = hits.filter(({ text }) => holdsStatement(text, statement)).map(({ id }) => id)
    if (ids.length === 0) return false
    for await (const head of this.#heads({ ids })) {
      if (head.seq < seq && episodeOf(head)?.voice === 'hearsay') return true
    }
    return false
  }

  async #printedIn(planId: string): Promise<readonly Printed[]> {
    const known = this.#printed.get(planId)
    if (known !== undefined) return known
    const printed: Printed[] = []
    for await (const head of this.#heads({ concepts: [observation], related: { field: 'planId', to: planId } }))
      if (episodeOf(head)?.voice === 'hearsay') printed.push({ seq: head.seq, text: String(head.payload['content']) })
    for await (const head of this.#heads({ concepts: [step], parent: planId })) printed.push(...resultOf(head))
    this.#keep(planId, printed)
    return printed
  }

  #keep(planId: string, printed: readonly Printed[]): void {
    this.#printed.set(planId, printed)
    this.#kept += sizeOf(printed)
    for (const [id, texts] of this.#printed) {
      if (this.#kept <= mostCharactersKept || id === planId) return
      this.#printed.delete(id)
      this.#kept -= sizeOf(texts)
    }
  }

  async #readGoals(planIds: readonly string[]): Promise<void> {
    /** Plans by the plan whose goal is wanted: themselves, or the plan above them that was reached so far. */
    let asked = new Map([...new Set(planIds)].filter((id) => !this.#goals.has(id)).map((id) => [id, [id]]))
    for (let depth = 0; asked.size > 0 && depth < mostParents; depth++) {
      const above = new Map<string, string[]>()
      for await (const head of this.#heads({ concepts: [plan], ids: [...asked.keys()] })) {
        const below = asked.get(head.id) ?? []
        const [goal, parent] = [head.payload['goal'], head.payload['parentPlanId']]
        if (typeof goal === 'string' && !head.redacted) for (const id of below) this.#goals.set(id, goalKey(goal))
        if (typeof parent === 'string') above.set(parent, [...(above.get(parent) ?? []), ...below])
      }
      asked = above
    }
    for (const id of planIds) if (!this.#goals.has(id)) this.#goals.set(id, id)
  }

  #heads(query: {
    ids?: readonly string[]
    concepts?: readonly string[]
    parent?: string
    related?: { field: string; to: string }
  }) {
    return scanHeads(this.#context.store.log, { owner: this.#owner, limit: 500, ...query })
  }
}

const mostWords = 5

/** Long words are usually rare. Words that every text contains make a search slow and find nothing useful. */
function longestWords(text: string): string {
  const words = new Set(text.match(/[\p{L}\p{M}\p{N}]+/gu))
  return [...words]
    .toSorted((a, b) => b.length - a.length)
    .slice(0, mostWords)
    .join(' ')
}

function planOf({ concept, id, payload }: Head): string | undefined {
  if (concept === plan) return id
  return typeof payload['planId'] === 'string' ? payload['planId'] : undefined
}

/** The result of a program or a request, because later steps of the plan see it. An agent's result is its own words. */
function resultOf({ seq, payload }: Head): readonly Printed[] {
  const { kind = 'agent', result } = payload
  return kind === 'agent' || typeof result !== 'object' ? [] : [{ seq, text: JSON.stringify(result) }]
}

function sizeOf(printed: readonly Printed[]): number {
  return printed.reduce((sum, { text }) => sum + text.length, 0)
}
