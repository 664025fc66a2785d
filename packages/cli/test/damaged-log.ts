/** A log with a page that cannot be read, as a bad disk leaves it. */
import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { marking, PlanWorld } from './plan-world.ts'

export interface DamagedWorld {
  readonly world: PlanWorld
  readonly cli: PlanWorld['cli']
  readonly planId: string
  readonly log: string
}

/** A note and a plan of two steps, in a log whose first page of this table or index is damaged. */
export async function damagedWorld(table: string): Promise<DamagedWorld> {
  const world = await PlanWorld.make({ kinds: 'command' })
  await world.cli.agentm(['save', 'Staging listens on 5433', '--kind', 'fact'])
  const planId = await world.plan(`goal: g\nsteps:\n${marking('a')}${marking('b', { dependsOn: ['a'] })}`)
  const log = path.join(world.cli.home, '.agentm/log/agentm.db')
  await damage(log, table)
  return { world, cli: world.cli, planId, log }
}

const pageSize = 4096
const rootPage = fileURLToPath(new URL('../../nodes-sqlite/test/processes/root-page.mjs', import.meta.url))

export async function damage(log: string, table: string): Promise<void> {
  const at = (Number(execFileSync(process.execPath, [rootPage, log, table], { encoding: 'utf8' })) - 1) * pageSize
  const bytes = await readFile(log)
  bytes.fill(0xff, at, at + 400)
  await writeFile(log, bytes)
}

/** What run, worker, doctor and check say of it. */
export async function saysOfDamage(
  { cli, log }: DamagedWorld,
  commands: readonly (readonly string[])[],
): Promise<Readonly<Record<string, unknown>>> {
  const told: Record<string, unknown> = {}
  for (const args of commands) {
    const { code, err } = await cli.agentm(args, null)
    const lines = err.split('\n').filter((line) => line.includes(`${log} is damaged`))
    told[args.filter((word) => !word.startsWith('v1:')).join(' ')] = {
      code,
      isNamed: err.includes('[CORRUPT_STORE]') && err.includes('try: agentm log check'),
      isRepeated: lines.length > 3,
    }
  }
  const doctor = await cli.agentm(['doctor'])
  const checked = await cli.agentm(['log', 'check'])
  return {
    ...told,
    doctor: [
      doctor.code,
      doctor.out.includes(`log [FAIL] ${log} is damaged: `),
      doctor.out.includes('agentm log rebuild'),
    ],
    check: [checked.code, checked.out.includes('cannot be read')],
  }
}

export const isSaid = { code: 1, isNamed: true, isRepeated: false }
export const isSaidOnLooking = { doctor: [1, true, true], check: [1, true] }

/** What is left after `log rebuild`. */
export async function builtAnew({ world, cli, planId, log }: DamagedWorld): Promise<unknown> {
  const { out, code } = await cli.agentm(['log', 'rebuild'])
  const { ok } = await cli.json(['log', 'check'])
  const run = await cli.agentm(['run', planId])
  return {
    rebuild: [code, out.includes(`kept as ${log}.replaced-`)],
    isWhole: ok,
    run: [run.code, ...world.told()],
    note: (await cli.agentm(['recall', 'staging'])).out.includes('5433'),
    doctor: (await cli.agentm(['doctor'])).out.includes(`log [OK] ${log}`),
  }
}

export const isWholeAgain = { rebuild: [0, true], isWhole: true, run: [0, 'a 0', 'b 0'], note: true, doctor: true }
