/** Consolidation where it runs for real: on both stores, in processes of their own, killed without warning. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openStaticEmbedder } from '@agentm/embedder-static'
import { consolidate, type ConsolidationReport, consolidationCursor, extractiveDistiller } from '@agentm/learning'
import { observation, semanticMemory } from '@agentm/memory'
import type { Head, NodeStore } from '@agentm/nodes'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { filePath } from '@agentm/vault-lock'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findPostgres, type OwnPostgres, startPostgres } from '../../../tools/postgres-server.mjs'
import { nearDuplicates } from '../../../tools/near-duplicates.mjs'

const script = fileURLToPath(new URL('processes/consolidate-process.mjs', import.meta.url))
const concepts = [observation, semanticMemory, consolidationCursor]
const found = findPostgres()
let server: OwnPostgres | undefined
beforeAll(async () => {
  if (typeof found !== 'string') server = await startPostgres(found)
}, 60_000)
afterAll(async () => {
  await server?.stop()
})
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

type Log = 'SQLite' | 'PostgreSQL'

async function world(log: Log) {
  const directory = await mkdtemp(path.join(tmpdir(), 'agentm-consolidation-'))
  closing.push(() => rm(directory, { recursive: true, force: true }))
  const schema = `c${path.basename(directory).replaceAll(/\W/g, '').toLowerCase()}`
  const place = log === 'SQLite' ? path.join(directory, 'agentm.db') : (server?.url ?? '')
  const store: NodeStore =
    log === 'SQLite'
      ? await openSqliteStore({ path: filePath(place), concepts })
      : await (await import('@agentm/nodes-postgres')).openPostgresStore({ url: place, schema, concepts })
  closing.push(() => store.close())
  const tellAll = async (contents: readonly string[], owner = 'ada') => {
    const drafts = contents.map((content) => ({
      concept: observation.name,
      payload: { ownerUserId: owner, kind: 'note', content },
      mutation: 'record',
    }))
    return (await store.log.append(drafts, { owner, actor: 'worker', partition: 'acme' })).map(({ id }) => id)
  }
  const tell = async (content: string, owner = 'ada') => (await tellAll([content], owner))[0] ?? ''
  const start = ({ leaseMs = 10_000, scheduledFor = Date.now(), hangsAt = 0 } = {}): Running => {
    const child = spawn(process.execPath, [script, place, `${leaseMs}`, `${scheduledFor}`, `${hangsAt}`, schema], {
      env: { PATH: process.env['PATH'], HOME: directory, XDG_CACHE_HOME: path.join(directory, 'cache') },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const running = new Running(child)
    closing.push(async () => running.kill())
    return running
  }
  const beliefs = async (owner = 'ada'): Promise<readonly Head[]> =>
    (await store.log.scan({ owner, concepts: [semanticMemory.name], limit: 10_000 })).nodes
  return { store, tell, tellAll, start, beliefs }
}

class Running {
  readonly #child: ChildProcess
  readonly #ended: Promise<void>
  #out = ''

  constructor(child: ChildProcess) {
    this.#child = child
    child.stdout?.on('data', (chunk: Buffer) => (this.#out += chunk.toString()))
    this.#ended = new Promise((resolve) => child.once('close', () => resolve()))
  }

  async distilling(times = 1): Promise<void> {
    while (this.#out.split('distils').length - 1 < times) {
      if (this.#child.exitCode !== null) throw new Error(`it ended without distilling: ${this.#out}`)
      await sleep(5)
    }
  }

  async report(): Promise<ConsolidationReport> {
    await this.#ended
    return JSON.parse(this.#out.trim().split('\n').at(-1) ?? '') as ConsolidationReport
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#ended
  }
}

const byText = (a: string, b: string) => (a < b ? -1 : 1)
const words = ['copper', 'marble', 'violet', 'thunder', 'saddle', 'biscuit']

describe.each<Log>(['SQLite', 'PostgreSQL'])('on %s', (log) => {
  it('one of two processes serves a scheduled run', { timeout: 60_000 }, async ({ skip }) => {
    if (log === 'PostgreSQL' && typeof found === 'string') skip(found)
    const { tell, start, beliefs } = await world(log)
    for (const word of words) await tell(`A ${word} was found ${word}side.`)
    const scheduledFor = Date.now()
    const both = [start({ scheduledFor }), start({ scheduledFor })]
    const reports = await Promise.all(both.map(async (each) => each.report()))
    expect(reports.filter(({ outcome }) => outcome === 'done')).toHaveLength(1)
    expect(reports.reduce((sum, { created }) => sum + created.length, 0)).toBe(words.length)
    expect(await beliefs()).toHaveLength(words.length)
    expect(await start({ scheduledFor }).report()).toMatchObject({ outcome: 'served' })
  })

  it(
    'a run that is killed keeps others out for its lease, and loses and doubles nothing',
    { timeout: 60_000 },
    async ({ skip }) => {
      if (log === 'PostgreSQL' && typeof found === 'string') skip(found)
      const { tell, start, beliefs } = await world(log)
      const ids: string[] = []
      for (const word of words) ids.push(await tell(`A ${word} was found ${word}side.`))
      const scheduledFor = Date.now()
      const doomed = start({ leaseMs: 5000, scheduledFor, hangsAt: 3 })
      await doomed.distilling(3)
      await doomed.kill()
      const learned = (await beliefs()).length
      expect(learned).toBe(2)
      let report = await start({ scheduledFor }).report()
      while (report.outcome === 'busy') {
        await sleep(200)
        report = await start({ scheduledFor }).report()
      }
      expect(report.outcome).toBe('done')
      const all = await beliefs()
      expect(all.map(({ payload }) => String(payload['sourceEpisodes'])).toSorted(byText)).toEqual(ids.toSorted(byText))
      expect(all.every(({ version }) => version === 1)).toBe(true)
    },
  )

  it('learns, confirms, fades and keeps owners apart', { timeout: 60_000 }, async ({ skip }) => {
    if (log === 'PostgreSQL' && typeof found === 'string') skip(found)
    const { store, tell, beliefs } = await world(log)
    const embedder = await openStaticEmbedder()
    let later = 0
    const run = async (owner: string) =>
      consolidate(
        { store, embedder, distiller: extractiveDistiller(), runtime: { now: () => Date.now() + later } },
        { owner },
      )
    const said = 'The staging database listens on port 5433.'
    for (const owner of ['ada', 'ada', 'bob']) await tell(said, owner)
    expect((await run('ada')).created).toHaveLength(1)
    expect((await run('bob')).created).toEqual([])
    await tell('We saw that the staging database listens on port 5433.')
    await tell('We saw that the billing queue listens on port 6000.')
    await tell('We saw that the billing queue listens on port 6000.')
    // The one that says 5433 again confirms what was heard before; the queue is another fact.
    expect(await run('ada')).toMatchObject({ created: [expect.any(String)], reinforced: [expect.any(String)] })
    later = 31 * 86_400_000
    expect((await run('ada')).decayed).toHaveLength(2)
    expect(await run('ada')).toMatchObject({ decayed: [], episodes: 0 })
    const confidences = (await beliefs()).map(({ payload }) => Number(payload['confidence']).toFixed(2)).toSorted()
    expect(confidences).toEqual(['0.40', '0.55'])
    expect(await beliefs('bob')).toEqual([])
  })
})

it('keeps near duplicates apart with the default embedder', { timeout: 60_000 }, async () => {
  const { store, tellAll, beliefs } = await world('SQLite')
  const { facts } = nearDuplicates(60, 7)
  const [once, again] = [await tellAll(facts), await tellAll(facts)]
  const embedder = await openStaticEmbedder()
  const report = await consolidate({ store, embedder, settings: { batchMax: 1000 } }, { owner: 'ada' })
  expect(report.failed).toEqual([])
  const learned = new Map(
    (await beliefs()).map(({ payload }) => [String(payload['content']), payload['sourceEpisodes']]),
  )
  expect(learned.size).toBe(60)
  for (const [i, fact] of facts.entries()) expect(learned.get(fact)).toEqual([once[i], again[i]])
})
