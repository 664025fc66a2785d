/** A call that is refused leaves a home as it was: no log, no store, no lock. */
import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { table } from '../src/command-table.ts'
import { CliWorld } from './cli-world.ts'

const patience = { timeout: 180_000 }

/** Words as a shell would split them; each call is wrong in what it says, not in how it is spelt. */
const refused: readonly string[] = [
  'agents show nothing',
  'agents retire nothing',
  'apply nothing',
  'approve nothing',
  'beliefs list --status nothing',
  'beliefs show nothing',
  'beliefs confirm nothing',
  'beliefs correct nothing text',
  'cancel nothing',
  'capture --kind UPPER text',
  'capture --confidence 7 text',
  'capture sessions --host nothing',
  'capture sessions --private some',
  'completion no-shell',
  'config set storage.backend',
  'consolidate --since never',
  'diff nothing',
  'discard nothing --yes',
  'do goal --slots 0',
  'do goal --trees some',
  'do goal --grace soon',
  'do goal --max-steps 0',
  'do goal --max-cost free',
  'do goal --replans some',
  'do goal --check a|b',
  'do goal --check true --no-check',
  'do goal --protect a --no-protect',
  'doctor --requires nothing',
  'erase nothing --yes',
  'eval nothing',
  'eval recall',
  'eval recall --data /nothing/of/that/name',
  'eval --min-pass-rate 7',
  'eval --from-trace nothing',
  'export .',
  'forget nothing',
  'history nothing',
  'hook pre-compact --host nothing',
  'hook session-end --host nothing',
  'hook stop --host nothing',
  'hook subagent-stop --host nothing',
  'import /nothing/of/that/name',
  'inbox accept nothing',
  'inbox edit nothing text',
  'inbox reject nothing',
  'inbox show nothing',
  'init --host nothing',
  'init --vault /nothing/of/that/name',
  'learned --status nothing',
  'learned list --status nothing',
  'learned list --limit 0',
  'learned accept nothing',
  'learned edit nothing text',
  'learned reject nothing',
  'learned show nothing',
  'log archive --older-than never',
  'log backup /nothing/of/that/name',
  'log prune --older-than never',
  'log restore /nothing/of/that/name',
  'notes --most 0',
  'notes show nothing',
  'offer-save --confidence 7 text',
  'pause nothing',
  'plan diff nothing other',
  'plan fork nothing',
  'plan new',
  'plan new --steps absent.yaml',
  'plan new --steps cyclic.yaml',
  'plan new --steps broken.yaml',
  'plan new --steps aimless.yaml',
  'plan new --steps good.yaml --run --slots 0',
  'plan new --steps good.yaml --trees some',
  'plan new --steps good.yaml --committed',
  'plan new --steps good.yaml --id a\nb',
  'recall --k none text',
  'recall --k 1.5 text',
  'recall tune --url nothing',
  'recall tune --model alone',
  'replay nothing',
  'repos register --root /nothing/of/that/name',
  'restore nothing',
  'resume nothing',
  'retry nothing --slots 0',
  'retry nothing',
  'run nothing --grace soon',
  'run nothing',
  'save --confidence 7 text',
  'save --kind UPPER text',
  'save --slug ../up text',
  'search --k none text',
  'schedule add nothing --every never',
  'schedule pause nothing',
  'schedule remove nothing',
  'schedule resume nothing',
  'schedule run nothing',
  'schedule show nothing',
  'schedule show nothing --last 0',
  'sessions --from never',
  'sessions list --to never',
  'sessions list --limit 0',
  'sessions forget nothing',
  'sessions show nothing',
  'signal nothing go',
  'skip nothing',
  'state path nothing',
  'state read ../up',
  'state write ../up',
  'state write PLAN.md absent.md',
  'status nothing',
  'status nothing --all',
  'supersede nothing text',
  'trace nothing --fixture name',
  'trace nothing',
  'view --port none',
  'worker --slots 0',
  'worker --grace soon',
  'worker --metrics none',
]

/** They refuse nothing but words they do not know, or their input; what they make is theirs to make. */
const unrefusing = [
  'agents',
  'beliefs',
  'beliefs prune',
  'complete',
  'config get',
  'config unset',
  'config list',
  'config keys',
  'config migrate',
  'conflicts',
  'demo',
  'hook prompt-submit',
  'hook session-start',
  'inbox',
  'inbox list',
  'lint',
  'log check',
  'log size',
  'log rebuild',
  'log migrate',
  'manual',
  'mcp',
  'notes',
  'notes list',
  'personal write',
  'project plans',
  'project',
  'project name',
  'reindex',
  'repos list',
  'repos unregister',
  'schedule list',
  'serve',
]

it('do not change the home', patience, async () => {
  const calls = [...refused, ...unrefusing.map((name) => `${name} --no-such-option`)]
  const worlds = await Promise.all(Array.from({ length: 3 }, () => homeWithFiles()))
  const made = await Promise.all(
    worlds.map(async (cli, i) => {
      const found: string[] = []
      const known = new Set(await everything(cli))
      for (const call of calls.filter((_, n) => n % worlds.length === i)) {
        const { code } = await cli.agentm(call.split(' '))
        if (code === 0) found.push(`${call}: was not refused`)
        for (const name of await everything(cli)) {
          if (!known.has(name)) found.push(`${call}: made ${name}`)
          known.add(name)
        }
      }
      return found
    }),
  )
  expect(made.flat()).toEqual([])
})

it('are tried of every command', () => {
  const untried = table
    .map(({ name }) => name)
    .filter((name) => !refused.some((call) => call === name || call.startsWith(`${name} `)))
  expect(untried.filter((name) => !unrefusing.includes(name))).toEqual([])
})

async function homeWithFiles(): Promise<CliWorld> {
  const cli = await CliWorld.forThisTest()
  await cli.file('repo/cyclic.yaml', 'goal: g\nsteps:\n  - { key: a, dependsOn: b }\n  - { key: b, dependsOn: a }\n')
  await cli.file('repo/broken.yaml', 'goal: [}\n')
  await cli.file('repo/aimless.yaml', 'steps:\n  - { key: a, kind: approval }\n')
  await cli.file('repo/good.yaml', 'goal: g\nsteps:\n  - { key: a, kind: approval }\n')
  return cli
}

async function everything({ home }: CliWorld): Promise<readonly string[]> {
  const found = await readdir(home, { recursive: true })
  return found.filter((name) => !name.startsWith('repo/.git')).toSorted()
}
