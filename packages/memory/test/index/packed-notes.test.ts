/** The packed index against a plain model of it, in the hands of two processes that write in turns. */
import { createInMemoryTables } from '@agentm/conformance/logs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PackedNotes } from '../../src/index/packed-notes.ts'
import { analyzedFile } from '../../src/index/analyzed-file.ts'
import { mergeFrom } from '../../src/index/pure/merge-plan.ts'
import { packNote, unpackNote } from '../../src/index/pure/packed-note.ts'
import { eachPlace, packPlaces } from '../../src/index/pure/postings.ts'
import { columnsOf, packColumns, unpackColumns } from '../../src/index/pure/segment.ts'
import { analyzeNote } from '../../src/ranking/pure/rank-lexical.ts'
import { termsOf } from '../../src/ranking/pure/tokenize.ts'

const words = ['copper', 'harbor', 'lantern', 'quill', 'basalt', 'meadow', 'cinder', 'orchard']
const keyOf = (n: number) => `projects/acme/fix/n${n}.md`

async function fileOf(n: number, said: readonly string[], tag: string) {
  const text = `---\nkind: fix\nslug: n${n}\ncreated: 2026-01-02\ntags: [${tag}]\n---\n\n${said.join(' ')} number${n}\n`
  return analyzedFile({ key: keyOf(n), text, revision: `r${said.length}` }, { storeId: 's' })
}

const someWords = fc.subarray(words, { minLength: 1 })
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ put: fc.nat(400), many: fc.integer({ min: 1, max: 90 }), said: someWords }) },
  { weight: 2, arbitrary: fc.record({ remove: fc.nat(400), many: fc.integer({ min: 1, max: 60 }) }) },
  { weight: 1, arbitrary: fc.constant({ erase: true }) },
  { weight: 1, arbitrary: fc.constant({ clear: true }) },
)

test('the index says of every note what was written last, whoever wrote it, however its segments are merged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async (steps) => {
      const tables = createInMemoryTables()
      const processes = [new PackedNotes(tables, 'notes'), new PackedNotes(tables, 'notes')]
      const model = new Map<number, { readonly said: readonly string[]; readonly tag: string }>()
      for (const [i, each] of steps.entries()) {
        const own = processes[i % 2] as PackedNotes
        if ('put' in each) {
          const numbers = Array.from({ length: each.many }, (_, n) => each.put + n)
          const files = await Promise.all(numbers.map(async (n) => fileOf(n, each.said, `t${i % 5}`)))
          await own.put(files, { areMany: i % 3 === 0 })
          for (const n of numbers) model.set(n, { said: each.said, tag: `t${i % 5}` })
        } else if ('remove' in each) {
          const numbers = Array.from({ length: each.many }, (_, n) => each.remove + n)
          await own.remove(await Promise.all(numbers.map(async (n) => (await fileOf(n, [], '')).note.id)))
          for (const n of numbers) model.delete(n)
        } else if ('clear' in each) {
          await own.clear()
          model.clear()
        } else await own.remove([], { erase: true })
        // What a process remembers is of any earlier state.
        if ('put' in each) for (const process of processes) process.read((view) => view.listed().length)
      }
      for (const each of [...processes, new PackedNotes(tables, 'notes')]) expectModel(each, model)
      expect(tables.read('notes', (rows) => rows.numbers('facts').length)).toBe(model.size)
    }),
    { numRuns: 25 },
  )
})

function expectModel(
  index: PackedNotes,
  model: ReadonlyMap<number, { readonly said: readonly string[]; readonly tag: string }>,
): void {
  index.read((view) => {
    expect(
      view
        .listed()
        .map(({ key }) => key)
        .toSorted(),
    ).toEqual([...model.keys()].map(keyOf).toSorted())
    const mask = view.mask(() => true)
    for (const word of words) {
      const stem = termsOf(word)[0]?.stem ?? ''
      const found: string[] = []
      view.eachHolder(stem, (place) => {
        if (mask[place] === 1) found.push(view.facts(place)?.key ?? '')
      })
      const wanted = [...model].flatMap(([n, { said }]) => (said.includes(word) ? [keyOf(n)] : []))
      expect(found.toSorted()).toEqual(wanted.toSorted())
    }
    for (const tag of ['t0', 't3']) {
      const wanted = [...model].flatMap(([n, each]) => (each.tag === tag ? [keyOf(n)] : []))
      expect(
        view
          .holdersOfFact('tag', tag)
          .map(({ key }) => key)
          .toSorted(),
      ).toEqual(wanted.toSorted())
    }
    for (const { place, key, revision } of view.listed()) {
      const facts = view.facts(place)
      expect([facts?.key, facts?.revision]).toEqual([key, revision])
      expect(view.find(facts?.id ?? '')).toBe(place)
      expect(view.analyzed(place)?.length).toBe(view.lengths()[place])
    }
  })
}

test('places, terms and columns come back as they were packed', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(3_000_000)), fc.string(), fc.array(fc.nat(5)), (some, text, lengths) => {
      const places = some.toSorted((a, b) => a - b)
      const back: number[] = []
      eachPlace(packPlaces(places), (place) => back.push(place))
      expect(back).toEqual(places)
      const note = analyzeNote({ title: 'A title', text })
      // From an address that no word begins at.
      const shifted = new Uint8Array([1, ...packNote(note)]).subarray(1)
      expect(unpackNote(shifted)).toEqual(note)
      const notes = lengths.map((length, i) => ({
        number: i + 1,
        length,
        partition: `p${length}`,
        kind: 'fix',
        status: 'active',
        isOwn: length > 2,
        createdAt: i * 1e12,
        agesFrom: i,
      }))
      expect(unpackColumns(packColumns(columnsOf(notes)))).toEqual(columnsOf(notes))
    }),
  )
})

test('a store of any size has few segments, and each note is written again a few times at most', () => {
  let segments: number[] = []
  let written = 0
  const segmentSize = 129
  for (let i = 0; i < 4000; i++) {
    segments.push(segmentSize)
    written += segmentSize
    for (;;) {
      const from = mergeFrom(segments.map((notes) => ({ notes, dead: 0 })))
      if (from === undefined) break
      const merged = segments.slice(from).reduce((sum, notes) => sum + notes, 0)
      written += merged
      segments = [...segments.slice(0, from), merged]
    }
    expect(segments.length).toBeLessThan(40)
  }
  expect(written / (4000 * segmentSize)).toBeLessThan(6)
  expect(mergeFrom([{ notes: 5000, dead: 2600 }])).toBe(0)
})
