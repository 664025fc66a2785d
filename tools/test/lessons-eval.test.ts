import { expect, it } from 'vitest'
import { judge, wilson } from '../eval/lessons/judge.mjs'
import { carefulModel, learnAll } from '../eval/lessons/learn.mjs'
import { readSessions } from '../eval/lessons/read-sessions.mjs'

const kept = readSessions().filter(({ part }) => part === 'kept')

function sharesOf(learned: Awaited<ReturnType<typeof learnAll>>) {
  const rows = Object.values(judge(kept, learned).rows)
  const sum = (name: 'learned' | 'right' | 'worth' | 'known') => rows.reduce((all, row) => all + row[name], 0)
  return { precision: sum('right') / sum('learned'), recall: sum('known') / sum('worth') }
}

it('has enough sessions, and a half that was kept', () => {
  const all = readSessions()
  const count = (of: (project: (typeof all)[number]) => number) => all.reduce((sum, project) => sum + of(project), 0)
  expect(count(({ sessions }) => sessions.length)).toBeGreaterThanOrEqual(40)
  expect(count(({ worth }) => worth.length)).toBeGreaterThanOrEqual(120)
  expect(count(({ tempting }) => tempting.length)).toBeGreaterThanOrEqual(200)
  expect(kept.length).toBeGreaterThan(10)
})

it('learns from the kept half what is worth learning, and little else', async () => {
  const { precision, recall } = sharesOf(await learnAll(kept))
  expect(precision).toBeGreaterThanOrEqual(0.9)
  expect(recall).toBeGreaterThanOrEqual(0.5)
})

it('learns more with a model that knows', async () => {
  const [without, with_] = [sharesOf(await learnAll(kept)), sharesOf(await learnAll(kept, { model: carefulModel }))]
  expect(with_.recall).toBeGreaterThan(without.recall)
  expect(with_.precision).toBeGreaterThanOrEqual(0.9)
})

it('counts what is wrong, what is said twice, and what is missed', () => {
  const [project] = kept
  const [worth] = project?.worth ?? []
  if (project === undefined || worth === undefined) throw new Error('the kept half is empty')
  const right = {
    project: project.name,
    kind: worth.kind,
    statement: worth.text,
    turns: [`${worth.session} ${worth.turn}`],
  }
  const { rows } = judge([project], [right, right, { ...right, statement: 'The moon is made of cheese.' }])
  expect(rows[worth.kind]).toMatchObject({ learned: 3, right: 1, known: 1 })
  expect(wilson(90, 100).low).toBeCloseTo(0.826, 2)
})
