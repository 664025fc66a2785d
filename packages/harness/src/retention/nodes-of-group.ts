/** All nodes of a group, those that refer to others before the ones they refer to, so that they can leave in this order in any pieces. */
import { type Head, scanAll, scanHeads } from '@agentm/nodes'
import { targetsIn } from '@agentm/nodes/store-kit'
import { planName, stepName } from '../pure/concept-names.ts'
import type { Members } from './find-members.ts'
import { dependentsFirst } from './pure/dependents-first.ts'
import type { Group } from './pure/decide-retention.ts'
import { ownedConcepts, parentConcepts, type RetentionContext } from './retention-context.ts'

const idsAtOnce = 500

export async function* nodesOfGroup(
  context: RetentionContext,
  { turns }: Pick<Members, 'turns'>,
  { members }: Group,
): AsyncGenerator<Head> {
  for (const { id, kind } of members)
    if (kind === 'plan') yield* nodesOfPlan(context, id)
    else
      yield* nodesById(
        context,
        (turns.get(id) ?? []).map((turn) => turn.id),
      )
}

async function* nodesById({ store, owner }: RetentionContext, ids: readonly string[]): AsyncGenerator<Head> {
  for (let i = 0; i < ids.length; i += idsAtOnce)
    yield* scanHeads(store.log, { owner, ids: ids.slice(i, i + idsAtOnce) })
}

async function* nodesOfPlan(context: RetentionContext, planId: string): AsyncGenerator<Head> {
  yield* nodesWithoutStep(context, planId)
  yield* nodesBelow(context, [planId], parentConcepts(context.concepts))
  yield* nodesById(context, [planId])
}

/** What belongs to the plan as a whole has no parent, and names the plan. */
async function* nodesWithoutStep(context: RetentionContext, planId: string): AsyncGenerator<Head> {
  const { store, owner } = context
  const seen = new Set<string>()
  for (const { concept, field } of planFields(context))
    for await (const head of scanHeads(store.log, { owner, concepts: [concept], related: { field, to: planId } }))
      if (head.parent === undefined && !seen.has(head.id)) {
        seen.add(head.id)
        yield head
      }
}

/** The indexed fields by which nodes that need no parent name their plan. */
function planFields({ concepts }: RetentionContext): readonly { readonly concept: string; readonly field: string }[] {
  const owned = ownedConcepts(concepts)
  return concepts
    .filter(({ name, relations }) => owned.has(name) && relations.some(isOptionalParent))
    .flatMap(({ name, relations }) =>
      relations
        .filter(({ to, indexed, kind }) => to === planName && indexed === true && kind !== 'parent')
        .map(({ field }) => ({ concept: name, field })),
    )
}

function isOptionalParent({ kind, mustExist }: { readonly kind: string; readonly mustExist?: boolean }): boolean {
  return kind === 'parent' && mustExist !== true
}

/** The nodes below plans or steps, level by level. Plans below them are members of the group themselves. */
async function* nodesBelow(
  context: RetentionContext,
  above: readonly string[],
  parents: ReadonlySet<string>,
): AsyncGenerator<Head> {
  const children = (await childrenOf(context, above)).filter(({ concept }) => concept !== planName)
  const grandparents = children.filter(({ concept }) => parents.has(concept)).map(({ id }) => id)
  if (grandparents.length > 0) yield* nodesBelow(context, grandparents, parents)
  yield* children.filter(({ concept }) => concept !== stepName)
  for (const { step } of inOrder(children.filter(({ concept }) => concept === stepName))) yield step
}

async function childrenOf({ store, owner }: RetentionContext, above: readonly string[]): Promise<readonly Head[]> {
  const found: Head[] = []
  for (let i = 0; i < above.length; i += idsAtOnce)
    found.push(...(await scanAll(store.log, { owner, parent: above.slice(i, i + idsAtOnce) })))
  return found
}

function inOrder(steps: readonly Head[]) {
  return dependentsFirst(steps.map((step) => ({ id: step.id, dependsOn: targetsIn(step.payload, 'dependsOn'), step })))
}
