/** Decisions of the pages of sessions and health. */
import { describe, expect, it } from 'vitest'
import { alikeChecks } from '../app/health/pure/alike-checks.ts'
import { healthVerdict, inUrgency } from '../app/health/pure/health-verdict.ts'
import { standingWords } from '../app/health/pure/standing-words.ts'
import { sizeWords } from '../app/health/pure/size-words.ts'
import { byDay, filterSessions, isSpan } from '../app/sessions/pure/filter-sessions.ts'
import { foundWords } from '../app/sessions/pure/found-words.ts'
import { placedBars } from '../app/sessions/pure/placed-bars.ts'
import type { CheckRow } from '../src/contract/health.ts'
import type { SessionRow } from '../src/contract/sessions.ts'
import { lastDays } from '../src/health/pure/last-days.ts'
import { entryRows } from '../src/sessions/pure/entry-rows.ts'

const day = 86_400_000
const session = (id: string, more: Partial<SessionRow> = {}): SessionRow => ({
  host: 'codex',
  id,
  project: '',
  startedAt: 0,
  endedAt: 0,
  turns: 1,
  agents: 0,
  asked: '',
  open: 0,
  ...more,
})
const check = (status: CheckRow['status'], command?: string): CheckRow => ({
  name: 'plans',
  status,
  text: status,
  help: command === undefined ? [] : [{ to: 'To go on', command }],
})

describe('sessions', () => {
  it('are filtered by host, project and time, and shown by day', () => {
    const all = [
      session('a', { endedAt: 10 * day + 5 }),
      session('b', { endedAt: 10 * day + 1, host: 'gemini' }),
      session('c', { endedAt: 4 * day, project: 'harbour' }),
    ]
    const wanted = { host: '', project: '', span: undefined, today: 10 * day }
    const ids = (more: object) => filterSessions(all, { ...wanted, ...more }).map(({ id }) => id)
    expect(ids({})).toEqual(['a', 'b', 'c'])
    expect(ids({ host: 'gemini' })).toEqual(['b'])
    expect(ids({ project: 'harbour' })).toEqual(['c'])
    expect(ids({ span: 'today' })).toEqual(['a', 'b'])
    expect(ids({ span: 'week' })).toEqual(['a', 'b', 'c'])
    expect([isSpan('week'), isSpan('toString'), isSpan(null)]).toEqual([true, false, false])
    const days = byDay(all, (at) => Math.floor(at / day))
    expect(days.map((each) => [each.day, each.sessions.length])).toEqual([
      [10, 2],
      [4, 1],
    ])
  })

  it('have the words of a search marked, whatever letters they have', () => {
    expect(foundWords('Fix the map (again)', 'MAP (')).toEqual(['Fix the ', 'map', ' ', '(', 'again)'])
    expect(foundWords('Fix the map', '  ')).toEqual(['Fix the map'])
  })

  it('are drawn with their long pauses cut short', () => {
    const minute = 60_000
    const { placed, pauses } = placedBars([
      ['a', 0, 10 * minute, 0, 0],
      ['b', 10 * minute, 20 * minute, 0, 0],
      ['c', 20 * minute + 3 * day, 30 * minute + 3 * day, 0, 0],
    ])
    expect(pauses).toMatchObject([{ ms: 3 * day }])
    expect(placed.map(({ left, width }) => [Math.round(left), Math.round(width)])).toEqual([
      [0, 29],
      [29, 29],
      [71, 29],
    ])
    expect(pauses[0]?.at).toBeGreaterThan(57)
    expect(pauses[0]?.at).toBeLessThan(72)
  })
})

describe('entries of a turn', () => {
  const place = { host: 'plain', session: 's', record: 1 } as const
  const call = { ...place, type: 'call', tool: 'shell', input: { command: 'x' }, use: { does: 'other' } } as const
  const result = { ...place, type: 'result', text: 'no', isError: true } as const

  it('have a call and its result in one row, also where results come in another order', () => {
    const rows = entryRows([
      { ...call, id: 'a' },
      { ...call, id: 'b' },
      { ...result, call: 'b' },
      { ...result, call: 'a', isError: false, text: 'yes' },
      { ...result, call: 'of another turn' },
    ])
    expect(rows).toMatchObject([{ result: 'yes' }, { result: 'no', hasFailed: true }])
    expect(rows).toHaveLength(2)
    expect(rows[0]?.hasFailed).toBeUndefined()
  })

  it('leave out what says nothing, and name what is not known', () => {
    const rows = entryRows([
      { ...place, type: 'reply', text: '  ' },
      { ...place, type: 'bookkeeping', kind: 'title' },
      { ...place, type: 'unknown', kind: 'next-year', length: 40 },
    ])
    expect(rows).toMatchObject([{ what: 'unknown', text: 'next-year, 40 characters' }])
  })
})

describe('health', () => {
  it('is as good as the worst check', () => {
    expect(healthVerdict([check('ok')])).toEqual({ status: 'ok', text: 'Everything that was checked is in order' })
    expect(healthVerdict([check('ok'), check('warn')])).toEqual({ status: 'warn', text: '1 warning' })
    expect(healthVerdict([check('warn'), check('fail')]).text).toBe('1 check failed, and 1 warning')
    expect(inUrgency([check('ok'), check('fail'), check('warn')]).map(({ status }) => status)).toEqual([
      'fail',
      'warn',
      'ok',
    ])
  })

  it.each([
    [{ isAlive: true, isGone: false, leaseUntil: 30_000 }, 'alive for 10 s'],
    [{ isAlive: false, isGone: true, leaseUntil: 30_000 }, 'gone; another worker takes over its steps within 20 s'],
    [{ isAlive: false, isGone: true, leaseUntil: 9_000 }, 'gone for 1.0 s'],
    [{ isAlive: false, isGone: false, leaseUntil: -50_000 }, 'gone for 1 min'],
  ])('says whether a worker is there: %j', (worker, words) => {
    expect(standingWords({ ...worker, startedAt: 0 }, 10_000)).toBe(words)
  })

  it('shows once what one command helps, and keeps apart what nothing helps', () => {
    const groups = alikeChecks([
      check('warn', 'agentm worker'),
      check('ok'),
      check('warn', 'agentm worker'),
      check('ok'),
    ])
    expect(groups.map(({ first, others }) => [first.status, others.length])).toEqual([
      ['warn', 1],
      ['ok', 0],
      ['ok', 0],
    ])
  })

  it('counts days where the reader is', () => {
    const noon = Date.UTC(2026, 10, 20, 12)
    expect(lastDays(noon, { count: 2, offsetMinutes: 0 })).toEqual([Date.UTC(2026, 10, 19), Date.UTC(2026, 10, 20)])
    const berlin = lastDays(Date.UTC(2026, 10, 20, 23, 30), { count: 1, offsetMinutes: -60 })
    expect(berlin).toEqual([Date.UTC(2026, 10, 20, 23)])
  })

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_500, '1.5 kB'],
    [58_187_776, '58.2 MB'],
    [999_600_000, '1.0 GB'],
    [123_456_000_000, '123 GB'],
  ])('says %i bytes as %s', (bytes, words) => expect(sizeWords(bytes)).toBe(words))
})
