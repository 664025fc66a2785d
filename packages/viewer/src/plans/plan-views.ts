/**
 * The plans that somebody looks at, kept in memory as rows. A plan is read whole once; after that, only what was written since, so that a
 * plan of 10,000 steps stays live.
 */
import { AbsentNodeError, composeId, type Head, type Node, redactSecrets, type ScanQuery } from '@agentm/nodes'
import type { PlansReader } from '@agentm/workspace/reader'
import type { PlanPage, StepRow } from '../contract/plans.ts'
import { planFacts } from './pure/plan-facts.ts'
import { stepRow } from './pure/step-row.ts'

interface View {
  /** Every version up to here is in the rows. */
  position: number
  readonly createdAt: number
  readonly rows: Map<string, StepRow>
  /** The position of the newest version of each step. */
  readonly seen: Map<string, number>
}

interface HeldView {
  readonly reading: Promise<View>
  steps: number
}

/** How much is kept. The plan that was longest not looked at makes room; the one that is looked at is always kept. */
export interface MostHeld {
  readonly plans: number
  readonly steps: number
}

// A step takes about a kilobyte.
const mostHeld: MostHeld = { plans: 4, steps: 15_000 }
const pageSize = 1_000

export class PlanViews {
  readonly #views = new Map<string, HeldView>()
  readonly #most: MostHeld

  constructor(most = mostHeld) {
    this.#most = most
  }

  /** The plan with the steps that changed after `after`; all of them by default. */
  async page(plans: Pick<PlansReader, 'log' | 'work' | 'owner'>, planId: string, after = 0): Promise<PlanPage> {
    const { log, owner, work } = plans
    const id = composeId('v1:harness:plan', planId)
    const head = await log.latest(id, { owner })
    if (head === undefined) throw new AbsentNodeError(planId)
    const view = await this.#current(plans, head)
    const steps = [...view.rows].flatMap(([stepId, row]) => ((view.seen.get(stepId) ?? 0) > after ? [row] : []))
    return {
      plan: planFacts(head, view.createdAt),
      steps,
      position: view.position,
      isWhole: after === 0,
      now: await work.now(),
    }
  }

  /** One reader at a time brings a view up to date; whoever asks meanwhile waits for it and looks again. */
  async #current(plans: Pick<PlansReader, 'log' | 'owner'>, plan: Head): Promise<View> {
    const before = this.#views.get(plan.id)
    const reading = (before?.reading ?? newView(plans, plan)).then((view) => bringUp(view, plans, plan.id))
    const held: HeldView = { reading, steps: before?.steps ?? 0 }
    this.#views.delete(plan.id)
    this.#views.set(plan.id, held)
    try {
      const view = await reading
      held.steps = view.rows.size
      this.#makeRoom()
      return view
    } catch (error) {
      // A failed reading is forgotten, so that the next one begins anew.
      if (this.#views.get(plan.id) === held) this.#views.delete(plan.id)
      throw error
    }
  }

  #makeRoom(): void {
    let steps = 0
    for (const held of this.#views.values()) steps += held.steps
    for (const [id, held] of this.#views) {
      if (this.#views.size === 1 || (this.#views.size <= this.#most.plans && steps <= this.#most.steps)) return
      this.#views.delete(id)
      steps -= held.steps
    }
  }
}

async function newView({ log, owner }: Pick<PlansReader, 'log' | 'owner'>, plan: Head): Promise<View> {
  const [first] = await log.history(plan.id, { owner, limit: 1 })
  return { position: 0, createdAt: first?.createdAt ?? plan.createdAt, rows: new Map(), seen: new Map() }
}

async function bringUp(view: View, { log, owner }: Pick<PlansReader, 'log' | 'owner'>, parent: string): Promise<View> {
  // What is written while this reads belongs to the next time.
  const until = await log.position()
  if (until === view.position) return view
  const query = { owner, concepts: ['v1:harness:step'], parent, after: view.position, limit: pageSize }
  for await (const node of versions(log, query)) if (node.seq <= until) note(view, node)
  view.position = until
  return view
}

async function* versions(log: PlansReader['log'], query: ScanQuery): AsyncGenerator<Node> {
  for (let cursor: string | undefined; ;) {
    const page = await log.scan({ ...query, versions: 'all', ...(cursor !== undefined && { cursor }) })
    yield* page.nodes
    cursor = page.cursor
    if (cursor === undefined) return
  }
}

function note(view: View, node: Node): void {
  view.rows.set(node.id, shown(stepRow(view.rows.get(node.id), node)))
  view.seen.set(node.id, node.seq)
}

/** What older versions stored in the texts of a step may hold a secret. */
function shown(row: StepRow): StepRow {
  const { title, errorMessage } = row
  const safe = redactSecrets(title)
  const error = errorMessage === undefined ? undefined : redactSecrets(errorMessage)
  return safe === title && error === errorMessage ? row : { ...row, title: safe, ...(error && { errorMessage: error }) }
}
