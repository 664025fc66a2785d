/** What the server decides without a request: addresses, changes, rows. */
import type { Node } from '@agentm/nodes'
import { describe, expect, it } from 'vitest'
import { excerptOf } from '../src/memory/pure/excerpt.ts'
import { momentOf } from '../src/memory/pure/moment.ts'
import { noteAddress } from '../src/memory/pure/note-address.ts'
import { selectNotes } from '../src/memory/pure/note-filter.ts'
import { parsePlanChange } from '../src/plans/pure/parse-plan-change.ts'
import { routeOf } from '../src/pure/route-of.ts'
import { shownText, shownValue } from '../src/pure/shown-value.ts'
import { stepRow } from '../src/plans/pure/step-row.ts'
import type { StepRow } from '../src/contract/plans.ts'

it.each([
  ['/', { to: 'page' }],
  ['/plans/release/graph', { to: 'page' }],
  ['/assets/index-abc.js', { to: 'file', name: 'assets/index-abc.js' }],
  ['/assets/LICENSES.txt', { to: 'nothing' }],
  ['/api/plans', { to: 'read', address: '/api/plans', id: '' }],
  ['/api/plans/na%C3%AFve', { to: 'read', address: '/api/plans/:id', id: 'naïve' }],
  ['/api/plans/release/standing', { to: 'read', address: '/api/plans/:id/standing', id: 'release' }],
  ['/api/steps/a', { to: 'read', address: '/api/steps/:id', id: 'a' }],
  ['/api/steps/a/standing', { to: 'nothing' }],
  ['/api/steps/%E0%A4%A', { to: 'nothing' }],
  ['/api/toString', { to: 'nothing' }],
  ['/index.html', { to: 'nothing' }],
  ['/api/change/plans', { to: 'change', room: 'plans' }],
  ['/api/change/toString', { to: 'nothing' }],
  ['/api/change', { to: 'nothing' }],
])('%s asks for %j', (address, route) => {
  const reads = ['/api/plans', '/api/plans/:id', '/api/plans/:id/standing', '/api/steps/:id']
  expect(routeOf(address, { rooms: ['plans'], reads })).toEqual(route)
})

it.each([
  [
    { do: 'pause', planId: 'a', reason: 'lunch' },
    { do: 'pause', planId: 'a', reason: 'lunch' },
  ],
  [
    { do: 'skip', stepId: 'a', reason: '', planId: 'b' },
    { do: 'skip', stepId: 'a' },
  ],
  [
    { do: 'answer', stepId: 'a', questionId: 'q', value: 'yes' },
    { do: 'answer', stepId: 'a', questionId: 'q', value: 'yes' },
  ],
  [{ do: 'answer', stepId: 'a', questionId: 'q', value: '' }, undefined],
  [{ do: 'pause', stepId: 'a' }, undefined],
  [{ do: 'pause', planId: 'v1:harness:plan:a' }, undefined],
  [{ do: 'erase', planId: 'a' }, undefined],
  [{ do: 'pause', planId: 'a', reason: 7 }, undefined],
])('%j is the change %j', (sent, change) => {
  expect(parsePlanChange(sent)).toEqual(change)
})

it('shows the beginning of what is too long, and never half a character', () => {
  expect(shownText('abc', 2)).toBe('ab… (1 more characters)')
  expect(shownText('a😀', 2).isWellFormed()).toBe(true)
  expect(shownValue({ a: 1 })).toEqual({ a: 1 })
  expect(String(shownValue({ a: 'x'.repeat(30_000) }))).toMatch(/more characters\)$/)
})

describe('a step, version by version', () => {
  it.each([
    ['is done', ['pending', 'ready', 'running', 'done'], ['pending 1-2', 'ready 2-3', 'ran-done 3-4']],
    ['fails for good', ['ready', 'running', 'failed'], ['ready 1-2', 'ran-failed 2-3']],
    ['is given back by its worker', ['running', 'ready'], ['ran-lost 1-2', 'ready 2-']],
    ['is lost with its worker', ['running', 'failed by vanished', 'ready'], ['ran-lost 1-2', 'ready 3-']],
    ['asks', ['running', 'blocked', 'blocked', 'ready'], ['ran-paused 1-2', 'blocked 2-4', 'ready 4-']],
    ['fails, and waits', ['running', 'failed until 9', 'ready'], ['ran-failed 1-2', 'backoff 2-3', 'ready 3-']],
  ] as const)('%s', (_, statuses, segments) => {
    const row = statuses.reduce<StepRow | undefined>(
      (before, status, i) => stepRow(before, version(status, i + 1)),
      undefined,
    )
    expect(row?.segments.map(([state, from, to]) => `${state} ${from}-${to ?? ''}`)).toEqual(segments)
  })

  it('keeps its place in the graph when its content was erased', () => {
    const before = stepRow(undefined, version('done', 1))
    const erased = stepRow(before, { ...version('done', 2), payload: {}, redacted: true })
    expect(erased).toMatchObject({ dependsOn: ['first'], erased: true, status: 'done' })
  })
})

/** A version of a step, written at the time `at`. */
function version(words: string, at: number): Node {
  const [status = '', word, what] = words.split(' ')
  const retry = word === 'until' ? { retryAt: Number(what) } : {}
  const failure = word === 'by' ? { failure: { cause: what } } : {}
  return {
    id: 'v1:harness:step:a',
    concept: 'v1:harness:step',
    version: at,
    seq: at,
    owner: 'ada',
    partition: '_global',
    createdBy: 'worker',
    createdAt: at,
    provenanceMutation: 'test',
    status,
    payload: { title: 'A', status, dependsOn: ['v1:harness:step:first'], ...retry, ...failure },
    redacted: false,
  }
}

describe('notes', () => {
  it.each([
    ['30d', 1_000 * 86_400_000 - 30 * 86_400_000],
    ['12h', 1_000 * 86_400_000 - 12 * 3_600_000],
    ['2026-01-02', Date.UTC(2026, 0, 2)],
    ['', undefined],
    ['soon', undefined],
    ['1e9d', undefined],
  ])('%j is a moment: %j', (text, moment) => {
    expect(momentOf(text, 1_000 * 86_400_000)).toBe(moment)
  })

  it.each([
    ['personal/fact/lamp.md', '/memory/note/personal/fact/lamp.md'],
    ['My Diary/50% of it?.md', '/memory/note/My%20Diary/50%25%20of%20it%3F.md'],
  ])('%j has the address %j', (key, address) => {
    expect(noteAddress(key)).toBe(address)
  })

  it('shows a passage where it stands, and hides a secret that the cut would split', () => {
    const text = `${'word '.repeat(100)}SECRET here is the answer. ${'more '.repeat(100)}`
    const { before, passage, after } = excerptOf(text, 'here is the answer.', safe)
    expect(passage).toBe('here is the answer.')
    expect(before).toMatch(/^…word .*\*\*\* $/)
    expect(after).toMatch(/^ more .*more…$/)
    expect(excerptOf(text, 'SECRET here', safe).passage).toBe('*** here')
    expect(excerptOf('short', undefined, safe)).toEqual({ before: '', passage: '', after: 'short' })
  })

  it('counts what one would get by another choice', () => {
    const all = [note('fact', 'a', 'x', 'idem-1'), note('fact', 'b', 'y'), note('fix', 'a', 'x', 'y')]
    const filter = { project: 'a', kind: 'fact', tags: [], from: -Infinity, to: Infinity }
    const { notes, kinds, projects, tags } = selectNotes(all, filter)
    expect(notes.map(({ key }) => key)).toEqual(['a/fact'])
    expect(kinds).toEqual([
      { name: 'fact', count: 1 },
      { name: 'fix', count: 1 },
    ])
    expect(projects).toEqual([
      { name: 'a', count: 1 },
      { name: 'b', count: 1 },
    ])
    expect(tags).toEqual([{ name: 'x', count: 1 }])
    expect(selectNotes(all, { ...filter, from: 6 }).notes).toEqual([])
  })
})

const safe = (text: string): string => text.replaceAll('SECRET', '***')

function note(kind: string, project: string, ...tags: readonly string[]) {
  return { key: `${project}/${kind}`, title: '', kind, project, tags, status: 'active', createdAt: 5 }
}
