/** An apply that is killed before its nth change, and what the next command makes of it. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { PlanWorld } from './plan-world.ts'

const preload = fileURLToPath(new URL('children/kill-at-write.mjs', import.meta.url))
const before = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'gone/c.txt': 'c\n', 'new/d.txt': undefined } as const
const after = { 'a.txt': 'A\n', 'b.txt': 'B\n', 'gone/c.txt': undefined, 'new/d.txt': 'D\n' } as const

/** A world with a plan that is done and was not applied. */
export async function worldToApply(): Promise<{ readonly world: PlanWorld; readonly planId: string }> {
  const world = await PlanWorld.make()
  const { repo } = world.cli
  for (const [name, text] of Object.entries(before)) if (text !== undefined) await world.cli.file(`repo/${name}`, text)
  await world.cli.file('repo/.gitignore', 'plan.yaml\n')
  execFileSync('git', ['add', '-A'], { cwd: repo })
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=a@b', 'commit', '-qm', 'first'], { cwd: repo })
  const script = 'printf "A\\n" > a.txt; printf "B\\n" > b.txt; rm -r gone; mkdir new; printf "D\\n" > new/d.txt'
  const planId = await world.plan(
    `goal: g\ntrees: own\nsteps:\n  - key: all\n    kind: command\n    input: { command: sh, args: [-c, '${script}'] }\n`,
  )
  const ran = await world.cli.agentm(['run', planId])
  if (ran.code !== 0) throw new Error(ran.err + ran.out)
  return { world, planId }
}

/** Kills `agentm apply` before its nth change. `false`: it came to its end before that. */
export async function killApply({ cli }: PlanWorld, planId: string, nth: number): Promise<boolean> {
  Object.assign(cli.variables, { NODE_OPTIONS: `--import ${preload}`, KILL_IN: cli.repo, KILL_AT: `${nth}` })
  const { code } = await cli.agentm(['apply', planId])
  for (const name of ['NODE_OPTIONS', 'KILL_IN', 'KILL_AT']) delete cli.variables[name]
  return code !== 0
}

export function expectTree({ cli }: PlanWorld, which: 'before' | 'after'): void {
  for (const [name, text] of Object.entries(which === 'before' ? before : after)) {
    const file = path.join(cli.repo, name)
    expect([name, existsSync(file) ? readFileSync(file, 'utf8') : undefined]).toEqual([name, text])
  }
  expect(existsSync(path.join(cli.repo, which === 'before' ? 'new' : 'gone'))).toBe(false)
}

/** Killed before the nth change, once completed and once taken back. `false`: there is no nth change. */
export async function killedAt(nth: number): Promise<boolean> {
  for (const way of ['apply', 'discard'] as const) {
    const { world, planId } = await worldToApply()
    if (!(await killApply(world, planId, nth))) return false
    const next = await world.cli.agentm(way === 'apply' ? ['apply', planId] : ['discard', planId, '--yes'])
    // The last changes only tidy up: by then everything is written, and there is nothing left to take back.
    if (next.code === 0) expectTree(world, way === 'apply' || isWritten(world) ? 'after' : 'before')
    expect([next.code, next.err]).toEqual([0, ''])
    const leftOver = execFileSync('git', ['for-each-ref', 'refs/agentm', 'refs/heads/agentm'], {
      cwd: world.cli.repo,
      encoding: 'utf8',
    })
    expect(leftOver).toBe('')
    await world.cli.remove()
    rmSync(world.cli.home, { recursive: true, force: true })
  }
  return true
}

function isWritten({ cli }: PlanWorld): boolean {
  return readFileSync(path.join(cli.repo, 'a.txt'), 'utf8') === after['a.txt']
}
