import { expect, it } from 'vitest'
import { cases, playOnFile } from '../schedules-table.mjs'

it('makes each start once, after an outage of three days too, while two processes race for it', async () => {
  const outage = cases.find(({ name }) => name.endsWith('catch-up all'))
  if (outage === undefined) throw new Error('there is no such case')
  const { starts, doubled } = await playOnFile(outage)
  expect(doubled).toBe(0)
  expect(starts.map(({ slot, as, status }) => `${slot.slice(0, 16)} ${as} ${status}`)).toEqual([
    '2026-11-17T01:30 due done',
    '2026-11-18T01:30 missed done',
    '2026-11-19T01:30 missed done',
    '2026-11-20T01:30 missed done',
    '2026-11-21T01:30 due done',
    '2026-11-22T01:30 due done',
  ])
}, 120_000)
