/** A folder, a home for its trees, and a worker whose steps write files. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import {
  checkKind,
  commandKind,
  type NewPlan,
  type NewStep,
  type StepKind,
  type StepOutcome,
  type StepRun,
} from '../../src/index.ts'
import { inTrees, mergeKind, openTrees, type TreesOfPlan, type TreesOptions } from '../../src/trees/index.ts'
import { setup } from '../../../../tools/harness-in-process.mjs'

export type Act = (directory: string, run: StepRun) => Promise<StepOutcome | void> | StepOutcome | void

export class TreeWorld {
  readonly home = realpathSync(mkdtempSync(path.join(tmpdir(), 'agentm-trees-')))
  readonly folder = path.join(this.home, 'work')
  readonly root = path.join(this.home, 'trees')
  readonly acts = new Map<string, Act>()
  readonly world = setup()
  readonly trees
  readonly #options: Partial<TreesOptions>

  constructor({ git = true, ...options }: { readonly git?: boolean } & Partial<TreesOptions> = {}) {
    this.#options = options
    this.trees = openTrees({ log: this.world.store.log, root: this.root, ...this.#options })
    mkdirSync(this.folder)
    if (git) {
      this.git('init', '-q', '-b', 'main')
      this.git('config', 'user.name', 'Ada')
      this.git('config', 'user.email', 'ada@example.com')
    }
    onTestFinished(async () => {
      await this.world.close()
      rmSync(this.home, { recursive: true, force: true })
    })
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', args, { cwd: this.folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  }

  write(name: string, text: string): void {
    const file = path.join(this.folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }

  read(name: string): string {
    return readFileSync(path.join(this.folder, name), 'utf8')
  }

  commit(): string {
    this.git('add', '-A')
    this.git('commit', '-q', '-m', 'work')
    return this.git('rev-parse', 'HEAD').trim()
  }

  async worker(): Promise<void> {
    const { kind, directoryOf } = inTrees(this.trees)
    const acting: StepKind = {
      name: 'act',
      run: async (run) => (await this.acts.get(run.step.title)?.(await run.directory(), run)) ?? { end: 'done' },
    }
    await this.world.worker({
      kinds: [kind(acting), kind(mergeKind(this.trees)), kind(checkKind()), commandKind()],
      directoryOf: async (run) => (await directoryOf(run)) ?? this.folder,
    })
  }

  /** Creates a plan whose steps act as given, by title. */
  async plan(
    steps: Readonly<
      Record<string, { readonly act: Act; readonly dependsOn?: readonly string[]; readonly tree?: string }>
    >,
    { check, ...options }: Parameters<typeof this.trees.plan>[1] & Pick<NewPlan, 'check'> = {},
  ): Promise<{
    readonly planId: string
    readonly steps: Readonly<Record<string, string>>
    readonly place: TreesOfPlan
  }> {
    for (const [title, { act }] of Object.entries(steps)) this.acts.set(title, act)
    const { trees } = await this.trees.plan(this.folder, options)
    const made = await this.world.harness.createPlan({
      goal: 'g',
      trees,
      ...(check && { check }),
      steps: Object.entries(steps).map(([key, { dependsOn = [], tree }]): NewStep => ({
        key,
        title: key,
        kind: 'act',
        retry: { maxFailures: 1 },
        dependsOn,
        ...(tree !== undefined && { tree }),
      })),
    })
    const place = await this.trees.of({ owner: 'ada', planId: made.planId })
    if (place === undefined) throw new Error('the plan has no trees')
    return { ...made, place }
  }

  async done(planId: string): Promise<void> {
    const { payload } = await this.world.ended(planId)
    if (payload.status !== 'done') throw new Error(payload.errorMessage ?? payload.status)
  }
}

/** Writes a file of the tree. */
export function writes(name: string, text: string): Act {
  return (directory) => {
    mkdirSync(path.dirname(path.join(directory, name)), { recursive: true })
    writeFileSync(path.join(directory, name), text)
  }
}
