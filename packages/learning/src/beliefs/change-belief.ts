/** What a person decides about a belief. The decision is repeated if another process writes the belief meanwhile. */
import { type Draft, findSecrets, isNodesError, type Node, type NodeLog } from '@agentm/nodes'
import { semanticMemory } from '@agentm/memory'
import { BeliefRefusedError } from '../learning-errors.ts'

export type Decided = Pick<Draft, 'payload' | 'mutation' | 'unset'>

/** Where the belief is, and how its newest version is found. */
export interface BeliefPlace {
  readonly log: NodeLog
  readonly owner: string
  readonly actor: string
  readonly find: () => Promise<Node>
}

/** `undefined` changes nothing. */
export async function changeBelief(
  { log, owner, actor, find }: BeliefPlace,
  decide: (head: Node) => Decided | undefined,
): Promise<{ readonly id: string; readonly changed: boolean }> {
  for (;;) {
    const head = await find()
    const decided = decide(head)
    if (decided === undefined) return { id: head.id, changed: false }
    try {
      const draft = { ...decided, concept: semanticMemory.name, id: head.id, update: true }
      await log.append([draft], { owner, actor, expects: { [head.id]: head.version } })
      return { id: head.id, changed: true }
    } catch (error) {
      if (!isNodesError(error, 'VERSION_CONFLICT')) throw error
    }
  }
}

export function forgotten({ status }: Node): Decided | undefined {
  if (status !== 'active') return undefined
  return { payload: { status: 'pruned', prunedBy: 'operator' }, mutation: 'forgetSemanticMemory' }
}

/** A person is as sure as anybody can be. From now on, the confidence fades as usual. */
export function confirmed(head: Node, now: number): Decided {
  checkDecidable(head)
  const count = Number(head.payload['reinforceCount'] ?? 1)
  return {
    payload: {
      confidence: 1,
      baseConfidence: 1,
      reinforceCount: count + 1,
      lastReinforced: new Date(now).toISOString(),
    },
    mutation: 'confirmSemanticMemory',
  }
}

/** The person's words are kept, and what was learned before is not learned again. */
export function corrected(head: Node, statement: string, now: number): Decided {
  checkDecidable(head)
  const content = statement.trim()
  const secrets = findSecrets(content).map(({ kind }) => kind)
  if (content === '') throw new BeliefRefusedError('the new text is empty. To get rid of the belief, forget it')
  if (secrets.length > 0)
    throw new BeliefRefusedError(`the new text holds what looks like a secret (${secrets.join(', ')})`)
  const before = Array.isArray(head.payload['editedFrom']) ? head.payload['editedFrom'].map(String) : []
  return {
    payload: {
      content,
      provenance: 'operator',
      confidence: 1,
      baseConfidence: 1,
      lastReinforced: new Date(now).toISOString(),
      editedFrom: [...new Set([...before, String(head.payload['content'])])],
    },
    mutation: 'editSemanticMemory',
  }
}

function checkDecidable({ status, payload }: Node): void {
  if (status !== 'active') throw new BeliefRefusedError('it is forgotten. To bring it back: agentm restore')
  if (payload['origin'] === 'sessions')
    throw new BeliefRefusedError(
      'it was learned from agent sessions and waits for a decision. To decide: agentm learned',
    )
}
