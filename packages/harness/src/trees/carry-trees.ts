/**
 * Brings what done steps of a plan changed into a fork of it: the fork gets references of its own to the same commits. So the original may
 * be applied or discarded later. Nothing is checked out.
 */
import path from 'node:path'
import { scanAll } from '@agentm/nodes'
import type { CarriedTrees } from '../fork/new-fork.ts'
import { observationName } from '../pure/concept-names.ts'
import { planWord, treeWord } from './pure/tree-names.ts'
import type { Repository } from './repository.ts'
import { TreesError } from './tree-errors.ts'
import type { Trees } from './trees.ts'
import { type TreesOfPlan, writeOrigin } from './trees-of-plan.ts'

/** Throws `TREES_REFUSED`, before anything is written, if a change is gone. */
export async function carryTrees(trees: Trees, carried: CarriedTrees): Promise<void> {
  const { owner, from, to } = carried
  const place = await trees.of({ owner, planId: from })
  if (place === undefined) return
  if (!place.isHere)
    throw new TreesError(
      `the trees of ${from} are on another machine, the one that has ${place.trees.folder}. Fork it there`,
    )
  const repo = await place.repository()
  const word = planWord(to)
  const wanted = new Map<string, string>(await place.settled())
  for (const step of carried.steps) {
    const change = await changeOf(trees, { place, repo, owner, step })
    if (change === undefined) continue
    const tree = treeWord({ id: step.to, title: step.title }, undefined)
    wanted.set(`start/${tree}`, change.start).set(`done/${tree}`, change.head)
  }
  await writeOrigin(path.join(trees.root, word), { planId: to, owner, folder: place.trees.folder })
  for (const [name, commit] of wanted) await repo.git(['update-ref', `refs/agentm/${word}/${name}`, commit])
}

interface Carried {
  readonly place: TreesOfPlan
  readonly repo: Repository
  readonly owner: string
  readonly step: CarriedTrees['steps'][number]
}

/** After the trees were applied or discarded, the commits that the log names may still be there. */
async function changeOf(
  trees: Trees,
  { place, repo, owner, step }: Carried,
): Promise<{ readonly start: string; readonly head: string } | undefined> {
  const change = await place.wholeChangeOf(step.from)
  if (change !== undefined) return change
  const observed = await scanAll(trees.log, { owner, parent: step.from, concepts: [observationName] })
  const recorded = observed.flatMap(({ payload }) => recordedIn(payload['data'])).at(-1)
  if (recorded === undefined) return undefined
  const { code } = await repo.git(['cat-file', '-e', `${recorded.head}^{commit}`], { ok: [0, 1, 128] })
  if (code === 0) return recorded
  throw new TreesError(
    `what "${step.title}" changed is gone: the trees of the plan were applied or discarded. Run the plan again from the beginning`,
  )
}

function recordedIn(data: unknown): readonly { readonly start: string; readonly head: string }[] {
  const change: unknown = isRecord(data) ? data['change'] : undefined
  if (!isRecord(change)) return []
  const { base, head } = change
  return typeof base === 'string' && typeof head === 'string' ? [{ start: base, head }] : []
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
