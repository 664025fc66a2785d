import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  encodeStaticTable,
  openStaticEmbedder,
  type StaticEmbedder,
  type StaticTableContents,
} from '@agentm/embedder-static'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const tableFile = new URL('../table/glove-6b-50k.table', import.meta.url)

let scratch: string
let embedder: StaticEmbedder
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'embedder-static-'))
  embedder = await openStaticEmbedder()
})
afterAll(() => rm(scratch, { recursive: true }))

describe('the default embedder', () => {
  it('names its table, algorithm and width, so that no two kinds of vector are compared', () => {
    expect(embedder.name).toBe('static-1/glove-6b-50k.1/256')
    expect(embedder.dimensions).toBe(256)
  })

  it('places a paraphrase nearer than an unrelated sentence', async () => {
    const [anchor, paraphrase, other] = await vectorsOf(
      'The doctor prescribed pills for the pain',
      'A physician gave medication against the ache',
      'Snow blocked the road to the village',
    )
    expect(cosine(anchor, paraphrase)).toBeGreaterThan(cosine(anchor, other) + 0.2)
  })

  it('gives a finite vector of unit length for every text there is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'binary', maxLength: 200 }), { maxLength: 5 }), async (texts) => {
        const vectors = await embedder.embed(texts)
        expect(vectors).toHaveLength(texts.length)
        for (const vector of vectors) {
          expect(vector).toHaveLength(256)
          expect(Math.abs(cosine(vector, vector) - 1)).toBeLessThan(1e-5)
        }
      }),
    )
  })

  it.each([[''], [' \n\t'], ['!!! … —'], ['🎉'], ['\uD800']])(
    'sends %j, which holds no word, always to one place',
    async (text) => {
      const [vector, empty] = await vectorsOf(text, '')
      expect(vector).toEqual(empty)
    },
  )

  it.each([
    ['Chinese', '我们每周五部署到生产环境', '部署到生产环境的时间', '今天天气很好'],
    ['Japanese', 'データベースがクラッシュした', 'データベースのクラッシュ', '猫が好きです'],
    ['Korean', '서버가 멈추면 다시 시작한다', '서버가 다시 멈추었다', '커피를 좋아한다'],
    ['Russian', 'перезапуск сервера базы данных', 'сервер базы данных', 'хорошая погода'],
    ['Hindi', 'डेटाबेस सर्वर बंद है', 'डेटाबेस सर्वर', 'अच्छा मौसम'],
  ])('tells likeness in %s, which the table does not know', async (_, text, alike, other) => {
    const [anchor, near, far] = await vectorsOf(text, alike, other)
    expect(cosine(anchor, near)).toBeGreaterThan(cosine(anchor, far) + 0.2)
  })

  it.each([
    ['an identifier and its parts', 'readUserName', 'read the user name'],
    ['accents', 'Café Zürich', 'cafe zurich'],
    ['case', 'DATABASE LOCK', 'database lock'],
    ['compatibility forms', 'ﬁle ＡＢＣ', 'file abc'],
    ['a typing error', 'kubernetes deployment', 'kubernets deployment'],
  ])('brings together %s', async (_, one, other) => {
    const [a, b] = await vectorsOf(one, other)
    expect(cosine(a, b)).toBeGreaterThan(0.6)
  })

  it('answers a batch as it answers each text alone, also past one turn of the event loop', async () => {
    const texts = Array.from({ length: 1100 }, (_, i) => `note ${i} about locks`)
    const batch = await embedder.embed(texts)
    const [alone] = await embedder.embed(texts.slice(1050, 1051))
    expect(batch[1050]).toEqual(alone)
    expect(await embedder.embed([])).toEqual([])
  })
})

describe('the default table', () => {
  it('is the file its checksum names', async () => {
    const [sum] = (await readFile(new URL('../table/SHA256SUMS', import.meta.url), 'utf8')).split(' ')
    expect(
      createHash('sha256')
        .update(await readFile(tableFile))
        .digest('hex'),
    ).toBe(sum)
  })

  it('finds hand-written paraphrases that hashed n-grams alone do not', async () => {
    const alone = await openStaticEmbedder({
      table: await tableWith({
        words: [],
        rows: new Float64Array(),
        columns: 0,
        weights: new Float64Array(),
        hashed: { dimensions: 256, weight: 1 },
      }),
    })
    expect(await firstHits(embedder)).toBeGreaterThan(0.8)
    expect(await firstHits(alone)).toBeLessThan(0.2)
  })
})

describe('a table of somebody else', () => {
  it('decides name, width and likeness', async () => {
    const own = await openStaticEmbedder({ table: await tableWith({}) })
    expect(own).toMatchObject({ name: 'static-1/tiny.7/34', dimensions: 34 })
    const [cat, hound, dog] = await own.embed(['cat', 'hound', 'dog'])
    expect(cosine(hound, dog)).toBeGreaterThan(0.7)
    expect(cosine(hound, cat)).toBeLessThan(0.2)
  })

  it('is given as a path or as a URL', async () => {
    const [byUrl] = await (await openStaticEmbedder({ table: tableFile })).embed(['locks'])
    expect(byUrl).toEqual((await embedder.embed(['locks']))[0])
  })

  it.each([
    ['absent', 'absent.table', undefined],
    ['foreign', 'foreign.table', () => new TextEncoder().encode('{"not": "a table"}')],
    ['foreign', 'empty.table', () => new Uint8Array()],
    ['damaged', 'prefix.table', (whole: Uint8Array) => whole.slice(0, 14)],
    ['damaged', 'header.table', (whole: Uint8Array) => whole.slice(0, 40)],
    ['damaged', 'rows.table', (whole: Uint8Array) => whole.slice(0, whole.length - 20)],
    ['damaged', 'vocabulary.table', (whole: Uint8Array) => whole.slice(0, -1)],
    ['damaged', 'json.table', (whole: Uint8Array) => whole.with(20, 0)],
    ['damaged', 'infinite.table', (whole: Uint8Array) => whole.fill(255, whole.length - 40, whole.length - 20)],
    ['version', 'newer.table', (whole: Uint8Array) => whole.with(12, 9)],
  ])('is refused as %s: %s', async (fault, file, spoil) => {
    const path = join(scratch, file)
    if (spoil !== undefined) await writeFile(path, spoil(encodeStaticTable(tiny)))
    const refusal = openStaticEmbedder({ table: path })
    await expect(refusal).rejects.toMatchObject({ code: 'STATIC_TABLE', fault, message: expect.stringContaining(path) })
  })

  it.each<[string, Partial<StaticTableContents>]>([
    ['a word twice', { words: ['cat', 'cat', 'dog'] }],
    ['a line break in a word', { words: ['cat', 'a\nb', 'dog'] }],
    ['a word with half a character', { words: ['cat', '\uD800', 'dog'] }],
    ['rows that do not match', { columns: 3 }],
    ['an infinite weight', { weights: Float64Array.of(1, 1, Infinity) }],
    ['no hashed features', { hashed: { dimensions: 0, weight: 1 } }],
  ])('is not written with %s', (_, change) => {
    expect(() => encodeStaticTable({ ...tiny, ...change })).toThrow(TypeError)
  })
})

const tiny: StaticTableContents = {
  model: 'tiny.7',
  licence: 'CC0-1.0',
  words: ['cat', 'dog', 'hound'],
  rows: Float64Array.of(1, 0, 0, 1, 0.1, 1),
  columns: 2,
  weights: Float64Array.of(0.5, 0.5, 0.9),
  hashed: { dimensions: 32, weight: 0.5 },
}

async function tableWith(change: Partial<StaticTableContents>): Promise<string> {
  const path = join(scratch, `${Object.keys(change).length}-changes.table`)
  await writeFile(path, encodeStaticTable({ ...tiny, ...change }))
  return path
}

async function vectorsOf(...texts: string[]): Promise<[Float32Array, Float32Array, Float32Array]> {
  const [a = new Float32Array(), b = a, c = b] = await embedder.embed(texts)
  return [a, b, c]
}

async function firstHits(asked: StaticEmbedder): Promise<number> {
  const triples = JSON.parse(await readFile(new URL('./paraphrases.json', import.meta.url), 'utf8')) as Paraphrase[]
  const anchors = await asked.embed(triples.map(({ anchor }) => anchor))
  const paraphrases = await asked.embed(triples.map(({ paraphrase }) => paraphrase))
  const hits = anchors.filter((anchor, i) => {
    const own = cosine(anchor, paraphrases[i])
    return paraphrases.every((other, j) => i === j || cosine(anchor, other) < own)
  })
  return hits.length / triples.length
}

interface Paraphrase {
  readonly anchor: string
  readonly paraphrase: string
}

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined || a.length !== b.length) throw new TypeError('two vectors of one width')
  return a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0)
}
