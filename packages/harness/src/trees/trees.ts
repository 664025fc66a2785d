/** The trees of all plans of this machine. `trees-of-plan.ts` says how they are kept. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { NodeLog } from '@agentm/nodes'
import type { PlanTrees } from '../plan.ts'
import { findTreesPlan } from './plan-graph.ts'
import { baseOf, type Base, openRepository, type Repository } from './repository.ts'
import { TreesOfPlan } from './trees-of-plan.ts'

/** Options of `openTrees`. */
export interface TreesOptions {
  readonly log: Pick<NodeLog, 'latest' | 'scan'>
  /** The directory that holds all trees of this machine. */
  readonly root: string
  /** The names of ignored directories that trees get as links to the user's (default: `node_modules`). */
  readonly link?: readonly string[]
  /** The largest snapshot of a folder that is no git repository (default: 500 MB). */
  readonly maxSnapshotBytes?: number
}

/** Trees of the plans of this machine. */
export class Trees {
  readonly log: TreesOptions['log']
  readonly root: string
  readonly #link: readonly string[]
  readonly #maxSnapshotBytes: number

  constructor({ log, root, link = ['node_modules'], maxSnapshotBytes = 500_000_000 }: TreesOptions) {
    this.log = log
    this.root = root
    this.#link = link
    this.#maxSnapshotBytes = maxSnapshotBytes
  }

  /** Whether a folder has a git repository; trees of another one come from a snapshot. */
  async kindOf(folder: string): Promise<Repository['kind']> {
    return (await openRepository(folder, this.root)).kind
  }

  /**
   * The field `trees` of a new plan over this folder as it is now; with `committed`, as the last commit has it. `uncommitted` names the
   * changed files that its steps will then not see.
   */
  async plan(
    folder: string,
    { mode = 'own', committed = false }: { readonly mode?: PlanTrees['mode']; readonly committed?: boolean } = {},
  ): Promise<{
    readonly trees: PlanTrees
    readonly kind: Repository['kind']
    readonly uncommitted: Base['uncommitted']
  }> {
    const repo = await openRepository(folder, this.root)
    const maxSnapshotBytes = this.#maxSnapshotBytes
    const { commit, uncommitted } = await baseOf(repo, { committed, maxSnapshotBytes })
    const trees = { mode, folder: path.join(repo.top, repo.prefix), base: commit, device: await this.#device() }
    return { trees, kind: repo.kind, uncommitted }
  }

  /** The trees of the plan that a step belongs to; `undefined` if the plan works in the working folder. */
  async of(run: { readonly owner: string; readonly planId: string }): Promise<TreesOfPlan | undefined> {
    const found = await findTreesPlan(this.log, run)
    if (found === undefined) return undefined
    const isHere = found.trees.device === (await this.#device())
    const open = () => openRepository(found.trees.folder, this.root)
    const of = (planId: string) => this.of({ owner: run.owner, planId })
    const { log, root } = this
    return new TreesOfPlan({ ...found, isHere, open, of, owner: run.owner, log, root, link: this.#link })
  }

  /** The name by which this machine is known in plans. The first caller chooses it. */
  async #device(): Promise<string> {
    await mkdir(this.root, { recursive: true, mode: 0o700 })
    const file = path.join(this.root, 'device')
    const known = async () => (await readFile(file, 'utf8').catch(() => '')).trim()
    if ((await known()) === '') await writeFile(file, `${randomUUID()}\n`, { flag: 'wx', mode: 0o600 }).catch(ifThere)
    return known()
  }
}

function ifThere(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
}

/**
 * The trees of the plans of this machine.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { harnessConcepts } from '@agentm/harness'
 * import { openTrees } from '@agentm/harness/trees'
 *
 * const { log } = createInMemoryStore({ concepts: harnessConcepts })
 * const trees = openTrees({ log, root: '/home/ada/.agentm/trees' })
 * console.log(typeof trees.plan) // function
 * ```
 */
export function openTrees(options: TreesOptions): Trees {
  return new Trees(options)
}
