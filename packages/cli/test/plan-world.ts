/** A home whose user lets programs run, and plan files whose steps tell in a file that they were here. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { CliWorld } from './cli-world.ts'

export interface RowOfStatus {
  readonly stepId: string
  readonly title: string
  readonly status: string
  readonly attempt: number
  readonly help?: string
  readonly runner?: { readonly host: string; readonly pid: string }
}

export interface StatusOfPlan {
  readonly planId: string
  readonly status: string
  readonly steps: Readonly<Record<string, number>>
  readonly waiting: readonly RowOfStatus[]
  readonly failed: readonly { readonly title: string; readonly errorMessage: string; readonly help: string }[]
}

export class PlanWorld {
  readonly cli: CliWorld

  constructor(cli: CliWorld) {
    this.cli = cli
  }

  static async make({ kinds = 'agent,approval,command' }: { readonly kinds?: string } = {}): Promise<PlanWorld> {
    const cli = await CliWorld.make()
    onTestFinished(() => cli.remove())
    await cli.agentm(['config', 'set', 'harness.kinds', kinds])
    return new PlanWorld(cli)
  }

  /** Writes a plan from YAML; answers its id. */
  async plan(yaml: string): Promise<string> {
    await this.cli.file('repo/plan.yaml', yaml)
    const made = await this.cli.json(['plan', 'new', '--steps', 'plan.yaml'])
    if (typeof made['planId'] !== 'string') throw new Error(JSON.stringify(made))
    return made['planId']
  }

  async state(planId: string): Promise<StatusOfPlan> {
    const { plans } = (await this.cli.json(['status', planId])) as { plans: readonly StatusOfPlan[] }
    const [plan] = plans
    if (plan === undefined) throw new Error(`no plan ${planId}`)
    return plan
  }

  /** Once the plan stands like that; a look at it takes a process, so this is no way to measure time. */
  async until(planId: string, holds: (state: StatusOfPlan) => boolean): Promise<StatusOfPlan> {
    for (;;) {
      const state = await this.state(planId)
      if (holds(state)) return state
      await sleep(20)
    }
  }

  /** What the steps of `marking` told, line by line. */
  told(): readonly string[] {
    const file = path.join(this.cli.repo, 'told')
    return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
  }

  async untilTold(line: string): Promise<void> {
    while (!this.told().includes(line)) await sleep(10)
  }
}

/** A command step, for YAML, that tells `KEY ATTEMPT`; with `until` it stays until there is a file of that name. */
export function marking(
  key: string,
  { until, dependsOn = [] }: { until?: string; dependsOn?: readonly string[] } = {},
): string {
  const stay = until === undefined ? '' : ` while [ ! -e ${until} ]; do sleep 0.02; done;`
  return `  - key: ${key}
    kind: command
    dependsOn: [${dependsOn.join(', ')}]
    input: { command: sh, args: [-c, 'echo ${key} $AGENTM_ATTEMPT >> told;${stay} exit 0'] }
`
}
