/** A worker with one kind of step, whose coding agent is a program that plays a script. */
import { readFile, realpath, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { NewStep } from '@agentm/harness'
import { onTestFinished } from 'vitest'
import { setup } from '../../../tools/harness-in-process.mjs'
import { codingAgentKind, type CodingAgentName, type CodingAgentOptions } from '../src/index.ts'

/** What a run of the program says or does, line by line. */
export type Played = readonly (string | Readonly<Record<string, unknown>>)[]

export interface FakeCall {
  readonly args: readonly string[]
  readonly prompt: string
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly pid: number
}

export const everything: CodingAgentOptions['policy'] = { files: 'write', shell: 'any', hosts: [] }

export async function fakeWorld(
  name: CodingAgentName,
  runs: readonly Played[],
  options: Partial<CodingAgentOptions> = {},
) {
  const directory = await realpath(await mkdtemp(path.join(tmpdir(), 'agentm-agents-')))
  const world = setup()
  onTestFinished(async () => {
    await world.close()
    await rm(directory, { recursive: true, force: true })
  })
  const file = (at: string): string => path.join(directory, at)
  await writeFile(file('script.json'), JSON.stringify(runs))
  const kind = codingAgentKind(name, {
    policy: everything,
    command: [process.execPath, path.join(import.meta.dirname, 'programs/fake-agent.mjs'), directory],
    environment: { PATH: process.env['PATH'], HOME: directory, SECRET: 'do not tell', MY_KEY: 'k' },
    stateDirectory: file('state'),
    ...options,
  })
  const text = (at: string): Promise<string> => readFile(file(at), 'utf8').catch(() => '')
  return {
    ...world,
    directory,
    text,
    start: () => world.worker({ kinds: [kind], directoryOf: async () => directory }),
    async calls(): Promise<readonly FakeCall[]> {
      return (await text('calls.jsonl'))
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as FakeCall)
    },
    async plan(
      input: Readonly<Record<string, unknown>> = {},
      more: Partial<NewStep> & { readonly budget?: object } = {},
    ) {
      const { budget, ...step } = more
      const created = await world.harness.createPlan({
        goal: 'g',
        ...(budget !== undefined && { budget }),
        steps: [{ key: 's', title: 's', kind: name, input: { prompt: 'Fix the sum.', ...input }, ...step }],
      })
      return { planId: created.planId, stepId: created.steps['s'] ?? '' }
    },
    step: async (id: string) => (await world.harness.step(id)).payload,
    /** What the log says about the step, oldest first. */
    async observations(stepId: string) {
      const query = {
        owner: 'ada',
        concepts: ['v1:harness:observation'],
        parent: stepId,
        order: 'oldest',
        limit: 1000,
      } as const
      return (await world.store.log.scan(query)).nodes.map(
        ({ payload }) => payload as { kind: string; content: string; data: Record<string, unknown> },
      )
    },
  }
}
