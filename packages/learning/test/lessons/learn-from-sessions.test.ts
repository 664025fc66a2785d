import type { NodeStore } from '@agentm/nodes'
import { describe, expect, it } from 'vitest'
import { lessonWorld } from './lesson-world.ts'

const pnpm = 'The person wants pnpm instead of npm here.'
const rule = 'The person said here: "Never commit generated files."'

describe('learning from agent sessions', () => {
  it('makes beliefs that wait, with the turns they come from', async () => {
    const { tell, learn, shelf } = lessonWorld()
    await tell([{ asked: 'add lodash', ran: ['npm install lodash => 0'] }, 'no, use pnpm'])
    expect(await learn()).toMatchObject({
      outcome: 'done',
      turns: 2,
      lessons: [{ outcome: 'created', statement: pnpm }],
    })
    const [lesson] = await shelf.list()
    expect(lesson).toMatchObject({ kind: 'correction', status: 'waiting', partition: 'acme', isEdited: false })
    expect(lesson?.evidence[0]?.seen).toMatchObject({
      session: 's1',
      number: 2,
      records: [20, 29],
      asked: 'no, use pnpm',
    })
  })

  it('does nothing without new turns, and the same again with them', async () => {
    const { tell, learn, versions, statements } = lessonWorld()
    expect((await learn()).outcome).toBe('idle')
    await tell(['Never commit generated files.', { ran: ['pnpm test => 0'] }])
    await tell([{ ran: ['pnpm test => 0'] }], { session: 's2' })
    await learn()
    const [before, learned] = [await versions(), await statements()]
    expect((await learn()).outcome).toBe('idle')
    await tell(['thanks'], { session: 's3' })
    expect((await learn()).lessons.every(({ outcome }) => outcome === 'nothing')).toBe(true)
    expect(await versions()).toBe(before)
    expect(await statements()).toEqual(learned)
    expect(learned).toEqual(['The command `pnpm test` works here.', rule])
  })

  it('keeps projects apart', async () => {
    const { tell, learn, shelf } = lessonWorld()
    await tell(['no, use pnpm instead of npm'])
    await tell(['no, use yarn instead of npm'], { session: 's2', partition: 'other' })
    await learn()
    expect((await shelf.list({ partition: 'other' })).map(({ statement }) => statement)).toEqual([
      'The person wants yarn instead of npm here.',
    ])
    expect(await shelf.count('acme')).toBe(1)
  })

  it('replaces what the person corrected later, and what was decided and taken back', async () => {
    const { tell, tick, learn, statements } = lessonWorld()
    await tell(['no, use pnpm instead of npm', "let's use SQLite instead of Postgres because there is one user"])
    await learn()
    expect(await statements()).toHaveLength(2)
    tick(86_400_000)
    await tell(['actually go back to Postgres'], { from: 3 })
    await tell(['no, use bun instead of pnpm'], { session: 's2' })
    const { withdrawn } = await learn()
    expect(withdrawn).toHaveLength(1)
    expect(await statements()).toEqual(['The person wants bun instead of pnpm here.'])
    await tell(['hi'], { session: 's3' })
    await learn()
    expect(await statements()).toEqual(['The person wants bun instead of pnpm here.'])
  })

  it('becomes surer when another session says so, and keeps few sources', async () => {
    const { tell, tick, learn, shelf, versions } = lessonWorld()
    for (let n = 1; n <= 14; n++) {
      await tell([{ ran: ['pnpm test => 0'] }], { session: `s${n}` })
      await learn()
      tick(60_000)
    }
    const [lesson] = await shelf.list()
    expect(lesson?.confidence).toBeGreaterThan(0.9)
    expect(lesson?.evidence).toHaveLength(8)
    expect(await versions()).toBeLessThan(10)
  })

  it('continues after a crash, wherever it came', async () => {
    const whole = lessonWorld()
    const turns = ['no, use pnpm instead of npm', 'Never commit generated files.', 'the seeds are in db/seeds']
    await whole.tell(turns)
    await whole.learn()
    const wanted = await whole.statements()
    expect(wanted).toHaveLength(3)
    for (let crashAt = 1; crashAt < 7; crashAt++) {
      const { store, tell, learn, tick, statements } = lessonWorld()
      await tell(turns)
      await learn({}, { store: failing(store, crashAt) }).catch(() => undefined)
      tick(60_000)
      await learn()
      expect(await statements()).toEqual(wanted)
    }
  })

  it('lets one process at a time learn', async () => {
    const { tell, learn, store, statements } = lessonWorld()
    await tell(['Never commit generated files.'])
    const reports = await Promise.all([learn(), learn(), learn()])
    expect(reports.filter(({ outcome }) => outcome === 'done').length).toBeGreaterThanOrEqual(1)
    expect(await statements()).toEqual([rule])
    expect(await store.work.sessions()).toEqual([])
  })

  it('stops when its time is over, and goes on in the next call', async () => {
    const { tell, tick, statements, store } = lessonWorld()
    const { learnFromSessions } = await import('@agentm/learning/lessons')
    for (const partition of ['a', 'b', 'c'])
      await tell(['Never commit generated files.'], { partition, session: partition })
    const runtime = { now: () => tick(1000) }
    const first = await learnFromSessions({ store, runtime }, { owner: 'ada', budgetMs: 1 })
    expect(first).toMatchObject({ more: true, turns: 1 })
    for (let more = first.more, calls = 0; more; calls++) {
      ;({ more } = await learnFromSessions({ store, runtime }, { owner: 'ada', budgetMs: 1 }))
      expect(calls).toBeLessThan(5)
    }
    expect(await statements()).toEqual([rule, rule, rule])
  })
})

describe('what a person decides', () => {
  const paraphrase = 'Never commit any generated files'
  it('is kept: what was rejected does not come back, in other words either', async () => {
    const { tell, learn, shelf, statements } = lessonWorld()
    await tell(['Never commit generated files.', 'no, use pnpm instead of npm'])
    await learn()
    for (const { id } of await shelf.list()) await shelf.reject(id)
    await tell([paraphrase, 'We use pnpm here, not npm.'], { session: 's2' })
    expect((await learn()).lessons.map(({ why }) => why)).toContain('a person removed this')
    expect(await statements()).toEqual([])
    expect(await statements('rejected')).toHaveLength(2)
  })

  it('is kept: what became a note is not learned again', async () => {
    const { tell, learn, shelf, statements } = lessonWorld()
    await tell(['Never commit generated files.'])
    await learn()
    const [lesson] = await shelf.list()
    expect(await shelf.accept(lesson?.id ?? '', 'projects/acme/notes/n.md')).toMatchObject({
      status: 'accepted',
      note: 'projects/acme/notes/n.md',
    })
    await tell([paraphrase], { session: 's2' })
    await learn()
    expect(await statements()).toEqual([])
  })

  it('is kept: an edited text stays, and its old text is not learned again', async () => {
    const { tell, learn, shelf, statements } = lessonWorld()
    await tell(['Never commit generated files.'])
    await learn()
    const [lesson] = await shelf.list()
    await shelf.edit(lesson?.id ?? '', 'Generated files are built in CI.')
    await tell([paraphrase], { session: 's2' })
    await learn()
    expect(await statements()).toEqual(['Generated files are built in CI.'])
    await expect(shelf.edit(lesson?.id ?? '', ' ')).rejects.toMatchObject({ code: 'LESSON_REFUSED' })
    await expect(shelf.edit(lesson?.id ?? '', 'key AKIAIOSFODNN7RQ5TZ2Q')).rejects.toMatchObject({
      code: 'LESSON_REFUSED',
    })
  })

  it('cannot be decided twice', async () => {
    const { tell, learn, shelf } = lessonWorld()
    await tell(['Never commit generated files.'])
    await learn()
    const [{ id } = { id: '' }] = await shelf.list()
    await shelf.reject(id)
    await expect(shelf.accept(id, 'n')).rejects.toMatchObject({ code: 'LESSON_REFUSED' })
  })
})

/** A store whose log breaks at the given append. */
function failing(store: NodeStore, at: number): NodeStore {
  let appends = 0
  const log = new Proxy(store.log, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => {
        if (name === 'append' && ++appends >= at) throw new Error('the power failed')
        return Reflect.apply(value, target, given) as unknown
      }
    },
  })
  return { ...store, log, work: store.work, recall: store.recall }
}
