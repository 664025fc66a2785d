/** Removes the trees of a plan without applying them, and finds trees that nobody needs any more. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { completeJournal } from './apply.ts'
import { removePlanTrees } from './remove-plan-trees.ts'
import { openRepository } from './repository.ts'
import type { TreesOfPlan } from './trees-of-plan.ts'

/** Removes the trees and branches of a plan. What an interrupted apply has written is taken back first. */
export async function discardPlan(place: TreesOfPlan): Promise<void> {
  await place.locked('apply', async () => {
    await completeJournal(place, 'before')
    await removePlanTrees(await place.repository(), place)
  })
}

/** Trees on this disk, and the plan they were made for. */
export interface LeftOver {
  readonly planId: string
  readonly owner: string
  readonly folder: string
  readonly home: string
  /** An apply was interrupted. */
  readonly isHalfApplied: boolean
}

/** The plans that have trees below this directory. */
export async function leftOverTrees(root: string): Promise<readonly LeftOver[]> {
  const names = await readdir(root).catch(() => [])
  const found = await Promise.all(names.map((name) => leftOverAt(path.join(root, name))))
  return found.flatMap((one) => one ?? [])
}

async function leftOverAt(home: string): Promise<LeftOver | undefined> {
  const text = await readFile(path.join(home, 'origin.json'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const { planId, owner, folder } = JSON.parse(text) as Omit<LeftOver, 'home' | 'isHalfApplied'>
  const isHalfApplied = (await readFile(path.join(home, 'apply.json')).catch(() => undefined)) !== undefined
  return { planId, owner, folder, home, isHalfApplied }
}

/** Removes trees whose plan was erased or is no longer in the log. */
export async function removeLeftOver({ folder, home }: LeftOver, root: string): Promise<void> {
  const repo = await openRepository(folder, root)
  const word = path.basename(home)
  await completeJournal({ home, word, repository: async () => repo }, 'before')
  await removePlanTrees(repo, { home, word })
}
