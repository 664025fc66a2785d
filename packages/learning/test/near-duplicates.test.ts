import { isDenial, readStatement, statementDifference } from '../src/statements/pure/statement-difference.ts'
import { describe, expect, it } from 'vitest'
import { beliefsOf, scripted, setup } from './consolidation-world.ts'
import { nearDuplicates } from '../../../tools/near-duplicates.mjs'

const denies = (a: string, b: string) => isDenial(readStatement(a), readStatement(b))

describe('statementDifference', () => {
  it.each([
    ['The port is 5432.', 'The port is 5433.', 'number'],
    ['It took 1.5 hours.', 'It took 15 hours.', 'number'],
    ['Keep two backups.', 'Keep seven backups.', 'number'],
    ['Retry from 5 to 6.', 'Retry from 6 to 5.', 'order'],
    ['Alice owns the importer.', 'Bob owns the importer.', 'name'],
    ['The importer is owned by Alice.', 'The importer is owned by Bob.', 'name'],
    ['Restart billing-api first.', 'Restart search_api first.', 'name'],
    ['Kestrel depends on Osprey.', 'Osprey depends on Kestrel.', 'order'],
    ['Deploy on Monday.', 'Deploy on Friday.', 'date'],
    ['The audit was on 2026-03-01.', 'The audit was on 2026-03-10.', 'date'],
    ['The audit was on March 3.', 'The audit was on April 3.', 'date'],
    ['The audit was in March.', 'The audit took place.', 'date'],
    ['Staging is shared.', 'Staging is not shared.', 'negation'],
    ['The cache can be dropped.', "The cache can't be dropped.", 'negation'],
    ['It works without a network.', 'It works with a network.', 'negation'],
    ['All tests pass.', 'Some tests pass.', 'word'],
    ['The importer feeds the exporter.', 'The exporter feeds the importer.', 'order'],
    ['Run it before the build.', 'Run it after the build.', 'word'],
    ['Locks live inside the vault.', 'Locks live outside the vault.', 'word'],
    ['The queue is empty.', 'The queue is full.', 'word'],
  ])('tells %j from %j by its %s', (a, b, by) => {
    expect([statementDifference(a, b), statementDifference(b, a)]).toEqual([by, by])
  })

  it.each([
    ['The lock file lives outside the vault.', 'the lock file lives outside the vault'],
    ['Ada prefers small commits.', 'Ada prefers small commits, and said so.'],
    ['Staging listens on port 5,432.', 'Staging listens on port 5432'],
    ['It has two replicas.', 'It has 2 replicas.'],
    ['We deploy on Mondays.', 'We deploy on Monday.'],
    ['The cache cannot be dropped.', "The cache can't be dropped."],
    ['The database of staging listens on port 5433.', 'We saw again: the database of staging listens on port 5433.'],
  ])('lets %j and %j be the same', (a, b) => {
    expect([statementDifference(a, b), statementDifference(b, a)]).toEqual([undefined, undefined])
  })

  it('knows a denial from another fact', () => {
    expect(denies('The importer keeps empty rows.', 'The importer does not keep empty rows.')).toBe(true)
    expect(denies('The importer keeps empty rows.', 'The exporter does not keep empty rows.')).toBe(false)
    expect(denies('It keeps 3 rows.', 'It does not keep 4 rows.')).toBe(false)
    expect(denies('It keeps 3 rows.', 'It keeps 3 rows.')).toBe(false)
  })
})

describe('200 facts that differ in a number, a name, a date or a "not"', () => {
  const { facts, pairs } = nearDuplicates(200)
  // The worst embedder there could be: to it, everything is the same.
  const blind = { name: 'blind', dimensions: 2, embed: async (texts: readonly string[]) => texts.map(() => [1, 0]) }

  it('are told apart, each from every other', () => {
    expect(new Set(facts).size).toBe(200)
    const merged = facts.flatMap((a, i) =>
      facts.slice(i + 1).flatMap((b) => (statementDifference(a, b) === undefined ? [[a, b]] : [])),
    )
    expect(merged).toEqual([])
    for (const kind of ['number', 'name', 'date', 'negation'])
      expect(pairs.filter(({ by }) => by === kind)).toHaveLength(25)
  })

  it.each([
    ['with an embedder to which all is one, and no model', { embedder: blind }],
    ['by words alone, and no model', {}],
    ['with an embedder to which all is one, and a model', { embedder: blind, distiller: scripted() }],
  ])('stay 200 beliefs %s', async (_, options) => {
    const { tell, run, store } = setup({ ...options, settings: { batchMax: 1000 } })
    const sources = new Map<string, string[]>(facts.map((fact) => [fact, []]))
    for (const fact of [...facts, ...facts]) sources.get(fact)?.push(await tell(fact))
    const report = await run()
    expect(report.failed).toEqual([])
    const beliefs = await beliefsOf(store)
    const learned = new Map(beliefs.map(({ payload }) => [String(payload['content']), payload]))
    expect([beliefs.length, learned.size]).toEqual([200, 200])
    for (const [fact, ids] of sources) expect(learned.get(fact)?.['sourceEpisodes']).toEqual(ids)
    // Of a statement and its denial the newer one stands, and says which one it took the place of.
    const pruned = beliefs.filter(({ status }) => status !== 'active')
    expect(pruned).toHaveLength(25)
    expect(pruned.every(({ payload }) => payload['prunedBy'] === 'superseded')).toBe(true)
  })
})
