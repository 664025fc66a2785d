/**
 * Where the steps of a plan work: each in a tree of its own, below one directory of this machine. What belongs to which step follows
 * from the plan and from the names of branches and references, so any worker of the machine finds it again.
 *
 * - `refs/heads/agentm/PLAN/TREE`: the branch of a tree
 * - `refs/agentm/PLAN/start/TREE`: the commit it began with
 * - `refs/agentm/PLAN/done/TREE`: what its steps had changed when the last of them was done
 * - `refs/agentm/PLAN/settled/ONTO-HEAD`: what a person made of a conflict
 */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { NodeLog } from '@agentm/nodes'
import type { PlanTrees } from '../plan.ts'
import type { StepRun } from '../step-kind.ts'
import { type Change, type Ground, integrate } from './integrate.ts'
import { before, type GraphStep, plansStartedBy, stepsInOrder, type TreesPlan } from './plan-graph.ts'
import { mergeKindName } from './pure/merge-kind-name.ts'
import { mergedWord, planWord } from './pure/tree-names.ts'
import type { Repository } from './repository.ts'
import { withRefLock } from './ref-lock.ts'
import { list, TreesError } from './tree-errors.ts'
import { makeTree, oneByOne, readReady, type ReadyTree, removeTree, type TreePlace, unlock } from './worktree.ts'

export interface Surroundings extends TreesPlan {
  /** Whether its trees are on this machine. */
  readonly isHere: boolean
  readonly open: () => Promise<Repository>
  /** The trees of another plan of the owner. */
  readonly of: (planId: string) => Promise<TreesOfPlan | undefined>
  readonly owner: string
  readonly log: Pick<NodeLog, 'latest' | 'scan'>
  readonly root: string
  readonly link: readonly string[]
}

/** What there is to do with the tree of one step. */
export interface StepTree {
  readonly place: TreePlace
  readonly start: string
  readonly ready: ReadyTree
  readonly word: string
  readonly isShared: boolean
  /** Where the step works: the tree, or the folder in it that stands for the working folder. */
  readonly directory: string
}

/** The trees of one plan. */
export class TreesOfPlan {
  readonly #around: Surroundings
  #repo: Promise<Repository> | undefined

  constructor(around: Surroundings) {
    this.#around = around
  }

  get isHere(): boolean {
    return this.#around.isHere
  }

  get trees(): PlanTrees {
    return this.#around.trees
  }

  get planId(): string {
    return this.#around.top.id
  }

  get word(): string {
    return planWord(this.planId)
  }

  /** The directory that holds the trees of the plan. */
  get home(): string {
    return path.join(this.#around.root, this.word)
  }

  repository(): Promise<Repository> {
    return (this.#repo ??= this.#around.open())
  }

  /** The tree of a running step. It is made when the first step asks for it, and found again after that. */
  async treeOf(run: Pick<StepRun, 'id' | 'planId'>): Promise<StepTree> {
    const steps = await this.#steps(run.planId)
    const step = steps.find(({ id }) => id === run.id)
    if (step === undefined) throw new TypeError(`${run.id} is no step of ${run.planId}`)
    if (!step.isShared) return this.#openTree(step, run, steps)
    return this.locked(`tree-${step.word}`, () => this.#openTree(step, run, steps))
  }

  async #openTree(
    step: GraphStep,
    run: Pick<StepRun, 'id' | 'planId'>,
    steps: readonly GraphStep[],
  ): Promise<StepTree> {
    const isMerge = step.kind === mergeKindName
    const word = isMerge ? mergedWord : step.word
    const place = await this.#place(word)
    const includes = before(steps, run.id)
      .filter(({ isDone }) => isDone)
      .map((each) => each.word)
    // What is merged is made anew each time, because a person may have settled a conflict meanwhile.
    const known = isMerge ? undefined : await readReady(place)
    const refs = await this.#refs()
    const begun = known === undefined ? undefined : refs.get(`start/${word}`)
    if (known !== undefined && begun !== undefined) {
      this.#checkIncludes(
        step,
        known,
        steps.filter((each) => includes.includes(each.word)),
      )
      if (!step.isShared) await unlock(place)
      return this.#stepTree({ place, start: begun, ready: known, word, isShared: step.isShared })
    }
    const start = await this.#startOf(run, steps, refs)
    const { repo } = place
    await repo.git(['update-ref', this.#ref(`start/${word}`), start])
    await this.#writeOrigin()
    const ready = await makeTree(place, { start, includes, linking: this.#around.link })
    return this.#stepTree({ place, start, ready, word, isShared: step.isShared })
  }

  async #stepTree(tree: Omit<StepTree, 'directory'>): Promise<StepTree> {
    const { directory, repo } = tree.place
    return { ...tree, directory: path.join(directory, repo.prefix) }
  }

  /** A shared tree cannot take in other work once it is in use. */
  #checkIncludes({ title, word }: GraphStep, { includes }: ReadyTree, needed: readonly GraphStep[]): void {
    const missing = needed.filter((each) => each.word !== word && !includes.includes(each.word))
    if (missing.length === 0) return
    throw new TreesError(
      `"${title}" shares a tree that was begun without the work of ${list(missing.map((each) => `"${each.title}"`))}. ` +
        'Let the first step of the tree depend on them, too, or give this step a tree of its own.',
    )
  }

  async #place(word: string): Promise<TreePlace> {
    const repo = await this.repository()
    return { repo, directory: path.join(this.home, word), branch: `agentm/${this.word}/${word}` }
  }

  /** Says to which plan the directory belongs, also after the plan was erased. */
  async #writeOrigin(): Promise<void> {
    await writeOrigin(this.home, { planId: this.planId, owner: this.#around.owner, folder: this.trees.folder })
  }

  /** The commit with what these steps have changed: all of the plan that are done, or those before one step. */
  async merged(): Promise<string> {
    const refs = await this.#refs()
    const steps = await this.#steps(this.planId)
    return integrate(await this.#ground(refs), await this.#base(), await this.#changesOf(steps, refs))
  }

  /** What the plan starts from. A plan that continues another one goes on with what that one has changed. */
  async #base(): Promise<string> {
    const { base, after } = this.trees
    const earlier = after === undefined ? undefined : await this.#around.of(after)
    return earlier === undefined ? base : earlier.merged()
  }

  /** The changes of the steps that are done, in the order of the plan. */
  async changes(): Promise<readonly Change[]> {
    return this.#changesOf(await this.#steps(this.planId), await this.#refs())
  }

  /** What one step changed; `undefined` if it had no tree. */
  async changeOf(stepId: string): Promise<Change | undefined> {
    const refs = await this.#refs()
    const step = (await this.#steps(this.planId)).find(({ id }) => id === stepId)
    return step === undefined ? undefined : (await this.#changesOf([{ ...step, isDone: true }], refs))[0]
  }

  /** What one done step changed, and what the plans that it started changed, as one change; `undefined` if there is none. */
  async wholeChangeOf(stepId: string): Promise<Change | undefined> {
    const refs = await this.#refs()
    const step = (await this.#steps(this.planId)).find(({ id }) => id === stepId)
    const changes = step === undefined ? [] : await this.#changesOf([step], refs)
    const [first, ...others] = changes
    if (first === undefined || others.length === 0) return first
    return { ...first, head: await integrate(await this.#ground(refs), first.start, changes) }
  }

  /** What people made of conflicts between steps of this plan: the commit by its name below `settled/`. */
  async settled(): Promise<ReadonlyMap<`settled/${string}`, string>> {
    const refs = [...(await this.#refs())]
    return new Map(refs.flatMap(([name, commit]) => (isSettled(name) ? [[name, commit] as const] : [])))
  }

  /** The commit from which a step starts: what the steps before it changed. */
  async #startOf(run: Pick<StepRun, 'id' | 'planId'>, steps: readonly GraphStep[], refs: Refs): Promise<string> {
    const ground = await this.#ground(refs)
    const bases = [await this.#base()]
    // From the plan at the top down to the one of this step: what the steps before the one that started it changed.
    for (const { planId, stepId } of this.#around.startedBy.toReversed()) {
      const above = await this.#steps(planId)
      const sibling = above.filter(({ id }) => id === stepId).map((step) => ({ ...step, isDone: true }))
      const changes = await this.#changesOf([...before(above, stepId), ...sibling], refs, run.planId)
      bases.push(await integrate(ground, bases.at(-1) ?? '', changes))
    }
    const changes = await this.#changesOf(before(steps, run.id), refs)
    return integrate(ground, bases.at(-1) ?? '', changes)
  }

  /** What done steps changed. A step that started plans changed what their steps changed. */
  async #changesOf(steps: readonly GraphStep[], refs: Refs, except?: string): Promise<readonly Change[]> {
    const { log, owner } = this.#around
    const changes = new Map<string, Change>()
    for (const { id, title, isDone, word } of steps) {
      if (!isDone) continue
      const [start, head] = [refs.get(`start/${word}`), refs.get(`done/${word}`)]
      if (start !== undefined && head !== undefined) changes.set(word, { title, start, head })
      if (head !== undefined) continue
      for (const planId of await plansStartedBy(log, { owner, stepId: id })) {
        if (planId === except) continue
        const inner = await this.#steps(planId)
        for (const change of await this.#changesOf(inner, refs)) changes.set(`${planId} ${change.head}`, change)
      }
    }
    return [...changes.values()]
  }

  async #ground(refs: Refs): Promise<Ground> {
    const repo = await this.repository()
    return { repo, settled: ({ onto, head }) => refs.get(`settled/${onto}-${head}`) }
  }

  #steps(planId: string): Promise<readonly GraphStep[]> {
    const { log, owner, trees } = this.#around
    return stepsInOrder(log, { owner, planId, mode: trees.mode })
  }

  async #refs(): Promise<Refs> {
    const repo = await this.repository()
    const { out } = await repo.git(['for-each-ref', '--format=%(refname) %(objectname)', `refs/agentm/${this.word}/`])
    const lines = out.split('\n').filter((line) => line !== '')
    return new Map(
      lines.map((line) => [
        line.slice(this.#ref('').length, line.lastIndexOf(' ')),
        line.slice(line.lastIndexOf(' ') + 1),
      ]),
    )
  }

  #ref(name: string): string {
    return `refs/agentm/${this.word}/${name}`
  }

  /** Remembers a commit under a name of this plan. */
  async keep(name: `done/${string}` | `settled/${string}`, commit: string): Promise<void> {
    await (await this.repository()).git(['update-ref', this.#ref(name), commit])
  }

  /** One process of this machine at a time. */
  async locked<T>(name: string, work: () => Promise<T>): Promise<T> {
    return withRefLock(await this.repository(), this.#ref(`lock/${name}`), work)
  }

  /** The tree in which a person settles a conflict. */
  async conflictTree({ onto, head }: { readonly onto: string; readonly head: string }): Promise<TreePlace> {
    return this.#place(`conflict-${onto.slice(0, 8)}-${head.slice(0, 8)}`)
  }

  async removeTree(place: TreePlace): Promise<void> {
    await oneByOne(place.repo, () => removeTree(place))
    await place.repo.git(['update-ref', '-d', `refs/heads/${place.branch}`])
  }

  /** The branch with the merged result. */
  get mergedBranch(): string {
    return `agentm/${this.word}/${mergedWord}`
  }
}

/** Whose trees a directory holds. */
export interface TreesOrigin {
  readonly planId: string
  readonly owner: string
  readonly folder: string
}

/** Says whose trees a directory holds, so that it is known also after the plan was erased. */
export async function writeOrigin(home: string, origin: TreesOrigin): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 })
  await writeFile(path.join(home, 'origin.json'), JSON.stringify(origin))
}

type Refs = ReadonlyMap<string, string>

function isSettled(name: string): name is `settled/${string}` {
  return name.startsWith('settled/')
}
