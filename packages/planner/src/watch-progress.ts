/** The ledger of one plan, kept up with its history. */
import type { Node } from '@agentm/nodes'
import type { HarnessContext } from '@agentm/harness'
import { observationName, stepName } from '@agentm/harness/planning'
import { freshLedger, type Ledger, type LedgerEvent, noted } from './pure/progress-ledger.ts'

export class ProgressWatch {
  readonly #context: HarnessContext
  readonly #planId: string
  #ledger: Ledger
  #after = 0

  constructor(context: HarnessContext, planId: string, now: number) {
    this.#context = context
    this.#planId = planId
    this.#ledger = freshLedger(now)
  }

  /** With everything that has happened by now. */
  async ledger(): Promise<Ledger> {
    const nodes = [
      ...(await this.#since({ parent: this.#planId, concepts: [stepName] })),
      ...(await this.#since({ related: { field: 'planId', to: this.#planId }, concepts: [observationName] })),
    ].toSorted((a, b) => a.seq - b.seq)
    for (const node of nodes) this.#ledger = noted(this.#ledger, eventOf(node))
    this.#after = Math.max(this.#after, nodes.at(-1)?.seq ?? 0)
    return this.#ledger
  }

  async #since(query: { parent?: string; related?: { field: string; to: string }; concepts: readonly string[] }) {
    const { store, owner } = this.#context
    const nodes: Node[] = []
    let cursor: string | undefined
    do {
      const page = await store.log.scan({
        ...query,
        owner,
        versions: 'all',
        after: this.#after,
        ...(cursor === undefined ? {} : { cursor }),
      })
      nodes.push(...page.nodes)
      cursor = page.cursor
    } while (cursor !== undefined)
    return nodes
  }
}

function eventOf({ concept, provenanceMutation, createdAt: at, payload }: Node): LedgerEvent {
  if (concept === stepName) {
    if (provenanceMutation === 'completeHarnessStep') return { is: 'done', at }
    if (provenanceMutation !== 'failHarnessStep') return { is: 'other', at }
    return { is: 'failed', at, message: textOf(payload['errorMessage']) }
  }
  const { kind } = payload
  if (kind === 'error') return { is: 'observed', at, error: textOf(payload['content']) }
  return kind === 'tool_result' ? { is: 'observed', at, error: undefined } : { is: 'other', at }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
