/**
 * The plan that this checkout works on: the requested one, otherwise the one that its marker names, otherwise the plan without a
 * name. A marker that names no existing plan is an error, because using another plan would mix two lines of work.
 */
import { strip } from '@agentm/settings'
import type { Locator, StorageBackend } from '@agentm/storage-seam'
import { harnessStateDir, type StatePlace } from './harness-state-dir.ts'
import { planObjection, type PlanPair, planPair, singlePlan } from './pure/plan-name.ts'
import { readIn } from './read-state-file.ts'
import type { Project } from './resolve-project.ts'
import { ActivePlanError, InvalidPlanNameError } from './routing-errors.ts'

/** The plan this checkout works on. */
export interface ActivePlan {
  readonly backend: StorageBackend
  /** The plan file. */
  readonly locator: Locator
  /** The progress file beside it. */
  readonly progress: Locator
  readonly pair: PlanPair
  /** Why neither file may be written. They can then only be read. */
  readonly refusal?: Error
}

/**
 * The plan this checkout works on: the requested one, otherwise the one that its marker file names, otherwise PLAN.md. Throws
 * `ACTIVE_PLAN` if the marker names no existing plan.
 *
 * @example
 * ```ts
 * import { type Project, resolveActivePlan } from '@agentm/routing'
 *
 * declare const project: Project
 * const { backend, locator } = await resolveActivePlan(project)
 * console.log(await backend.read(locator))
 * ```
 */
export async function resolveActivePlan(
  project: Project,
  { plan }: { readonly plan?: string | undefined } = {},
): Promise<ActivePlan> {
  const place = harnessStateDir(project)
  if (plan !== undefined) return at(place, named(plan))
  const marker = await findMarker(project)
  if (marker === undefined) return at(place, singlePlan)
  const pair = bound(marker)
  await refuseDangling(place, pair)
  return at(place, pair)
}

/**
 * The text of the checkout's marker; `undefined` if there is no marker.
 *
 * @example
 * ```ts
 * import { findActiveBinding, type Project } from '@agentm/routing'
 *
 * declare const project: Project
 * const name = await findActiveBinding(project)
 * ```
 */
export async function findActiveBinding(project: Project): Promise<string | undefined> {
  const marker = await findMarker(project)
  return marker === undefined ? undefined : strip(marker)
}

async function findMarker(project: Project): Promise<string | undefined> {
  try {
    return await project.findPlanMarker()
  } catch (error) {
    throw new ActivePlanError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

function named(plan: string): PlanPair {
  const pair = planPair(plan)
  const why = planObjection(pair)
  if (why !== undefined) throw new InvalidPlanNameError(plan, why)
  return pair
}

function bound(marker: string): PlanPair {
  const raw = strip(marker)
  const shown = JSON.stringify(raw)
  if (raw === '') throw new ActivePlanError('.harness/active-plan is empty.')
  const pair = planPair(raw)
  if (pair.slug === undefined) throw new ActivePlanError(`.harness/active-plan says ${shown}, which is no named plan.`)
  const why = planObjection(pair)
  if (why === undefined) return pair
  throw new ActivePlanError(`.harness/active-plan says ${shown}, which cannot name a plan: ${why}.`, {
    plan: pair.slug,
  })
}

async function refuseDangling(place: StatePlace, pair: PlanPair): Promise<void> {
  const found = await readIn(place, pair.plan)
  if (found.kind === 'text' && found.text !== '') return
  const why = { absent: 'is not there', unreadable: 'cannot be read', text: 'is empty' }[found.kind]
  const where = place.refusal === undefined ? '' : ` The project's own store cannot be asked: ${place.refusal.message}`
  throw new ActivePlanError(
    `.harness/active-plan says ${JSON.stringify(pair.slug)}, and ${pair.plan} ${why}.${where}`,
    {
      plan: pair.slug,
      cause: found.kind === 'unreadable' ? found.error : place.refusal,
    },
  )
}

function at({ backend, locator, refusal }: StatePlace, pair: PlanPair): ActivePlan {
  return {
    backend,
    locator: locator.child(pair.plan),
    progress: locator.child(pair.progress),
    pair,
    ...(refusal === undefined ? {} : { refusal }),
  }
}
