/** The trees of a plan that somebody names, and what a person reads about them. */
import { isPlanOver, mergeKindName } from '@agentm/harness'
import type { TreesOfPlan } from '@agentm/harness/trees'
import type { Plans } from '@agentm/workspace'
import { UsageError } from '../../command.ts'
import { commandWord } from '../../typed.ts'
import { shortId } from './pure/short-id.ts'

/** Refuses a plan whose steps worked in the folder itself. */
export async function planTrees(opened: Plans, planId: string): Promise<TreesOfPlan> {
  const { owner } = opened
  const place = await (await opened.trees()).of({ owner, planId })
  if (place === undefined)
    throw new UsageError(
      `the steps of ${shortId(planId)} work in the folder itself, so there is nothing to show or apply. To keep work apart: --trees own`,
    )
  if (place.planId === planId) return place
  throw new UsageError(`${shortId(planId)} is a part of the plan ${shortId(place.planId)}. Name that one.`)
}

/** Before the trees are applied or removed: no step may still work in them. */
export function refuseOpen(status: string | undefined, planId: string, what: string): void {
  if (isPlanOver(status)) return
  const short = shortId(planId)
  throw new UsageError(
    `nothing was ${what}, because ${short} has not ended. Wait for it, or cancel it: ${commandWord()} cancel ${short}`,
  )
}

/** What the plan changed, and the commands for it; nothing if it changed nothing, or worked in the folder. */
export async function treesNote({ harness }: Plans, planId: string): Promise<string | undefined> {
  const { payload } = await harness.plan(planId)
  if (payload.trees === undefined || payload.status !== 'done') return undefined
  const merge = (await harness.steps(planId)).find((step) => step.payload.kind === mergeKindName)
  const { files }: { readonly files?: readonly unknown[] } = merge?.payload.result ?? {}
  if (files === undefined || files.length === 0) return 'The steps changed no files.'
  const [word, short] = [commandWord(), shortId(planId)]
  const count = files.length === 1 ? '1 changed file is' : `${files.length} changed files are`
  return `${count} kept apart from ${payload.trees.folder}. To see them: ${word} diff ${short}. To bring them in: ${word} apply ${short}. To delete them: ${word} discard ${short}`
}
