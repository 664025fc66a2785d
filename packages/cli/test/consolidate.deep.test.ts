import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { harnessConcepts } from '@agentm/harness/concepts'
import { consolidationCursor } from '@agentm/learning'
import { observation, semanticMemory } from '@agentm/memory'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { filePath } from '@agentm/vault-lock'
import { expect, it, onTestFinished } from 'vitest'
import { startScriptedServer } from '../../../tools/scripted-model.mjs'
import { marking, PlanWorld } from './plan-world.ts'

// Each command is a process of its own.
const slow = { timeout: 120_000 }

interface Listed {
  readonly beliefs: ReadonlyArray<{
    readonly id: string
    readonly content: string
    readonly confidence: number
    readonly provenance: string
    readonly sources: readonly string[]
  }>
}

const fact = 'Staging answers on port 5433.'

/** Plans for two goals, done, whose agents both report the same: something that may be learned. */
async function world() {
  const plans = await PlanWorld.make()
  const { cli } = plans
  await cli.agentm(['config', 'set', 'owner', 'ada'])
  const ran: string[] = []
  for (const goal of ['Check staging', 'Upgrade the importer']) {
    const planId = await plans.plan(`goal: ${goal}\nsteps:\n${marking('knock')}`)
    await cli.agentm(['run', planId])
    ran.push(planId)
  }
  const reported = await report(path.join(cli.home, '.agentm/log/agentm.db'), ran)
  const home = '.agentm/memory/beliefs'
  const notes = async () => {
    const [device = ''] = await readdir(path.join(cli.home, home)).catch(() => [])
    const names = device === '' ? [] : await readdir(path.join(cli.home, home, device))
    return names.map((name) => `${home}/${device}/${name}`)
  }
  const list = async () => ((await cli.json(['beliefs'])) as unknown as Listed).beliefs
  return { plans, cli, notes, reported, list }
}

/** As an agent's last words are written down. */
async function report(file: string, planIds: readonly string[]): Promise<readonly string[]> {
  const log = await openSqliteStore({
    path: filePath(file),
    concepts: [...harnessConcepts, semanticMemory, consolidationCursor],
  })
  const drafts = planIds.map((planId) => ({
    concept: observation.name,
    payload: {
      planId,
      kind: 'note',
      content: `respondToUser: ${fact}`,
      data: { reason: 'respondToUser', iterations: 1 },
    },
    mutation: 'recordHarnessObservation',
  }))
  const written = await log.log.append(drafts, { owner: 'ada', actor: 'test' })
  await log.close()
  return written.map(({ id }) => id)
}

it('learns from plans that ran, without a model, and recalls it', slow, async () => {
  const { cli, list, notes, reported } = await world()
  expect((await cli.agentm(['consolidate', '--dry-run', '--explain'])).out).toMatch(
    /ada: dry run: \d+ episodes, 1 new[^]*created +"Staging answers on port 5433\."/,
  )
  expect(await list()).toEqual([])
  const { code, out } = await cli.agentm(['consolidate'])
  expect([code, out]).toEqual([0, expect.stringMatching(/^ada: \d+ episodes, 1 new, 0 confirmed/)])
  const [belief] = await list()
  expect(belief).toMatchObject({ content: fact, confidence: 0.5 })
  expect(belief?.sources).toEqual(reported)
  const recalled = await cli.agentm(['recall', 'staging', 'port'])
  expect(recalled.out).toContain(fact)
  const shown = await cli.agentm(['beliefs', 'show', belief?.id.split(':').at(-1)?.slice(0, 8) ?? ''])
  for (const id of belief?.sources ?? []) expect(shown.out).toContain(id)
  const [note = ''] = await notes()
  const published = await cli.read(note)
  expect(published).toContain(`\n${fact}\n\n---\n\nFormed from [`)
  expect((await cli.agentm(['consolidate'])).out).toContain('0 episodes, 0 new, 0 confirmed')
})

it(
  'forgets a belief whose file was deleted, at the second run, and reindex does not write the file',
  slow,
  async () => {
    const { cli, list, notes } = await world()
    await cli.agentm(['consolidate'])
    const [[note = ''], [belief]] = [await notes(), await list()]
    await rm(path.join(cli.home, note))
    const reindexed = async () => [(await cli.agentm(['reindex'])).code, await notes()]
    expect((await cli.agentm(['consolidate'])).out).toMatch(
      /the note of 1 belief is gone\. To forget the belief: agentm consolidate\.[^]*v1:harness:semanticMemory:/,
    )
    expect(await list()).toHaveLength(1)
    expect(await reindexed()).toEqual([0, []])
    expect((await cli.agentm(['consolidate'])).out).toMatch(
      /1 belief forgotten, because you deleted its note\. To undo it:\n +agentm restore v1:harness:semanticMemory:/,
    )
    expect(await list()).toEqual([])
    expect(((await cli.json(['beliefs', '--status', 'pruned'])) as unknown as Listed).beliefs).toMatchObject([
      { id: belief?.id, content: fact },
    ])
    expect(await reindexed()).toEqual([0, []])
    expect((await cli.agentm(['recall', 'staging', 'port'])).out).not.toContain(note)
  },
)

it('forgets no belief of a store that is away, empty, or without its marker', slow, async () => {
  const { cli, list, notes } = await world()
  await cli.agentm(['consolidate'])
  const [note = ''] = await notes()
  const [store, aside] = [path.join(cli.home, '.agentm/memory'), path.join(cli.home, 'aside')]
  await rename(store, aside)
  for (const make of [async () => {}, async () => mkdir(store)]) {
    await make()
    for (let i = 0; i < 3; i++) await cli.agentm(['consolidate'])
    expect(await list()).toHaveLength(1)
  }
  await rm(store, { recursive: true, force: true })
  await rename(aside, store)
  await cli.agentm(['consolidate'])
  expect(await notes()).toEqual([note])
})

it('takes an edit of a belief back, and forgets one on demand', slow, async () => {
  const { cli, list, notes } = await world()
  await cli.agentm(['consolidate'])
  const [note = ''] = await notes()
  await cli.file(note, (await cli.read(note)).replace('Staging answers', 'Only staging answers'))
  expect((await cli.agentm(['consolidate'])).out).toContain('1 belief changed, because you edited its note')
  const [belief] = await list()
  expect(belief).toMatchObject({ content: 'Only staging answers on port 5433.', provenance: 'operator', confidence: 1 })
  await cli.file(note, (await cli.read(note)).replace('Only staging', 'Now only staging'))
  await cli.agentm(['reindex'])
  expect(await list()).toMatchObject([{ content: 'Now only staging answers on port 5433.' }])
  expect((await cli.agentm(['beliefs', 'prune', belief?.id ?? ''])).out).toBe(`forgotten: ${belief?.id}\n`)
  expect([await list(), await notes()]).toEqual([[], []])
  expect((await cli.agentm(['beliefs'])).out).toBe(
    'No belief is active; 1 forgotten. To list them: agentm beliefs --status pruned\n',
  )
  expect((await cli.agentm(['beliefs', '--project', 'none'])).out).toBe('There are no beliefs of none.\n')
  expect((await cli.agentm(['beliefs', 'show', 'nothing'])).err).toContain('NOTE_ABSENT')
})

it('runs for the owner who is named, and for nobody else', slow, async () => {
  const { cli, list } = await world()
  expect((await cli.agentm(['consolidate', '--owner', 'bob'])).out).toBe('bob: there is nothing to learn from yet.\n')
  expect(await list()).toEqual([])
  expect((await cli.agentm(['consolidate', '--owner', 'bob', '--all'])).code).toBe(2)
  expect((await cli.agentm(['beliefs', '--owner', 'bob'])).out).toContain('There are no beliefs yet')
})

it('makes up for a missed night in one of two workers', slow, async () => {
  const { cli, list } = await world()
  // The first run of all is not missed; from then on there is one to miss.
  await cli.agentm(['config', 'set', 'consolidation.batchMax', '1'])
  await cli.agentm(['config', 'set', 'consolidation.batchesPerRun', '1'])
  await cli.agentm(['consolidate'])
  await cli.agentm(['config', 'unset', 'consolidation.batchMax'])
  const workers = [cli.start(['worker']), cli.start(['worker'])]
  while (!workers.some(({ err }) => err.includes(' 1 new'))) await sleep(20)
  expect(await list()).toHaveLength(1)
  for (const worker of workers) expect(await worker.kill('SIGTERM')).toBe(0)
  const said = workers.map((worker) => worker.err).join('')
  expect(said.match(/ada: \d+ episodes, 1 new/g)).toHaveLength(1)
})

it('learns with the configured model, and keeps its key to itself', slow, async () => {
  const { cli, list } = await world()
  const content = fact
  const answers = [{ number: 1, distilled: true, kind: 'fact', content, confidence: 0.8 }]
  const server = await startScriptedServer(() => ({ text: JSON.stringify({ answers }) }), { key: 'k-secret-1' })
  onTestFinished(() => server.close())
  await cli.agentm(['config', 'set', 'models.url', server.url])
  await cli.agentm(['config', 'set', 'models.model', 'small'])
  const refused = await cli.agentm(['consolidate', '--json'])
  expect(JSON.parse(refused.out)).toMatchObject({ runs: [{ report: { created: [], failed: expect.any(Array) } }] })
  expect(await list()).toEqual([])
  cli.variables['AGENTM_MODEL_KEY'] = 'k-secret-1'
  const run = await cli.agentm(['consolidate', '--explain'])
  expect(run.out).toContain(`created    "${content}"`)
  expect(await list()).toMatchObject([{ content, confidence: 0.8 }])
  // Each answer is 10 and 5 tokens; those that were refused cost nothing.
  const [, questions, tokens] = /the model: (\d+) questions?, (\d+) tokens; in total \1 /.exec(run.out) ?? []
  expect(Number(questions)).toBeGreaterThan(0)
  expect(Number(tokens)).toBe(15 * Number(questions))
  expect(`${refused.out}${refused.err}${run.out}${run.err}`).not.toContain('k-secret-1')
})

it('refuses a setting that cannot be meant', slow, async () => {
  const { cli } = await PlanWorld.make()
  const refused = await cli.agentm(['config', 'set', 'consolidation.timeZone', 'nowhere at all'])
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('a time zone such as "UTC"') })
  await cli.agentm(['config', 'set', 'consolidation.timeZone', 'Mars/Olympus'])
  expect((await cli.agentm(['consolidate'])).err).toContain('CONSOLIDATION_CONFIG')
  expect((await cli.agentm(['config', 'set', 'consolidation.at', '25:00'])).code).not.toBe(0)
  expect((await cli.agentm(['config', 'set', 'consolidation.decayDays', '14'])).code).toBe(0)
})
