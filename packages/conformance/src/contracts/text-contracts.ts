/** Text is stored and returned byte for byte, at its own place only. */
import { type InvalidLocatorError, isSeamError, Locator, type StorageBackend } from '@agentm/storage-seam'
import type { Contract, World } from '../contract.ts'
import { must } from '../must.ts'

export const textContracts: readonly Contract[] = [
  {
    id: 'write-read',
    sentence: 'gives back each text at its own place',
    async check({ backend }) {
      const texts = {
        'same.md': 'at the root',
        'here/same.md': 'here',
        'here/deep/er/same.md': 'deeper',
        'there/same.md': 'there',
      }
      for (const [key, text] of Object.entries(texts)) await backend.write(new Locator(key), text)
      for (const [key, text] of Object.entries(texts))
        must.equal(await backend.read(new Locator(key)), text, `the text at ${key}`)
      return undefined
    },
  },
  {
    id: 'write-answers-place',
    sentence: 'answers a write with the place it wrote',
    async check({ backend }) {
      const written = await backend.write(new Locator('place/answered.md'), 'text')
      must.equal(written.key, 'place/answered.md', 'the place a write answers')
      return undefined
    },
  },
  {
    id: 'overwrite',
    sentence: 'replaces the whole text, also with a shorter one',
    async check({ backend }) {
      const at = new Locator('replaced.md')
      await backend.write(at, 'a first text that is rather long\n')
      await backend.write(at, 'short\n')
      must.equal(await backend.read(at), 'short\n', 'the text after the second write')
      return undefined
    },
  },
  {
    id: 'text-empty',
    sentence: 'keeps an empty text, which is not the same as none',
    async check(world) {
      return roundTrip(world, { empty: '' })
    },
  },
  {
    id: 'text-newlines',
    sentence: 'translates no newline and adds none',
    async check(world) {
      return roundTrip(world, {
        LF: 'one\ntwo\n',
        CRLF: 'one\r\ntwo\r\n',
        'mixed and bare CR': 'one\r\ntwo\rthree\n\r',
        'no final newline': 'one\ntwo',
        'only newlines': '\n\n\n',
      })
    },
  },
  {
    id: 'text-byte-order-mark',
    sentence: 'keeps a byte order mark, at the start and inside',
    async check(world) {
      return roundTrip(world, { start: '\uFEFFone\n', twice: '\uFEFF\uFEFFone', inside: 'one\uFEFFtwo' })
    },
  },
  {
    id: 'text-unicode',
    sentence: 'keeps every character of Unicode, control characters too',
    async check(world) {
      return roundTrip(world, {
        'other scripts': 'Grüße, 日本語, عربى, ქართული\n',
        emoji: '📝 👩🏽‍💻 🏳️‍🌈\n',
        'control characters': 'a\0b\u0001\u001B[0m\u007F\u0085\u2028\u2029',
        noncharacters: '\uFFFD\uFFFE\uFFFF\u{10FFFF}',
      })
    },
  },
  {
    id: 'text-not-normalized',
    sentence: 'keeps composed and decomposed characters apart',
    async check(world) {
      return roundTrip(world, { composed: 'caf\u00E9 \u212B', decomposed: 'cafe\u0301 A\u030A' })
    },
  },
  {
    id: 'text-large',
    sentence: 'keeps a text of several megabytes',
    async check({ backend, scale }) {
      const at = new Locator('large.md')
      const line = 'A line of some length, with ümläuts and 📝, so that no block ends on a character.\n'
      const text = line.repeat(Math.ceil((4_000_000 * Math.max(1, scale)) / line.length))
      await backend.write(at, text)
      must.hold((await backend.read(at)) === text, `a text of ${text.length} characters came back changed`)
      return undefined
    },
  },
  {
    id: 'text-ill-formed-refused',
    sentence: 'refuses half a surrogate pair and changes nothing',
    async check({ backend }) {
      const old = new Locator('half/old.md')
      await backend.write(old, 'old')
      for (const text of ['\uD800', 'a\uDC00b', '\uDE00\uD83D'])
        for (const at of [old, new Locator('half/new.md')])
          await must.refuse(() => backend.write(at, text), 'INVALID_TEXT', `writing ${JSON.stringify(text)}`)
      must.equal(await backend.read(old), 'old', 'the text after the refusals')
      must.equal((await backend.list(new Locator('half'))).map(String), ['half/old.md'], 'what is listed after them')
      return undefined
    },
  },
  {
    id: 'names-unicode',
    sentence: 'keeps names with spaces, emoji and other scripts as they are',
    async check({ backend }) {
      for (const name of ['a b.md', 'Grüße.md', '日本語.md', '📝.md', "it's (1) [x] #2.md"]) {
        const at = new Locator(`names ✓/${name}`)
        await backend.write(at, name)
        must.equal(await backend.read(at), name, `the text at ${at.key}`)
      }
      const listed = (await backend.list(new Locator('names ✓'))).map(({ name }) => name)
      for (const name of ['a b.md', 'Grüße.md', '日本語.md', '📝.md', "it's (1) [x] #2.md"])
        must.hold(
          listed.includes(name),
          `${JSON.stringify(name)} is not listed as it was written: ${listed.join(', ')}`,
        )
      return undefined
    },
  },
  {
    id: 'names-kept',
    sentence: 'lists every text it has taken, whatever its name looks like, or refuses the key',
    async check({ backend }) {
      for (const name of oddNames) {
        const at = new Locator(`odd-names/${name}`)
        if (await isRefused(async () => backend.write(at, name), at)) continue
        await backend.write(new Locator('odd-names/other.md'), 'written after it')
        must.equal(await backend.read(at), name, `the text at ${at.key}`)
        const listed = (await backend.list(at.parent)).map(({ key }) => key)
        must.hold(listed.includes(at.key), `${at.key} was written and is not listed: ${listed.join(', ')}`)
      }
      return undefined
    },
  },
  {
    id: 'names-long',
    sentence: 'keeps a long name, or refuses the very key it was given',
    async check({ backend }) {
      for (const length of [200, 244, 245, 246, 247, 250, 253, 254, 255, 256, 300]) {
        const at = new Locator(`long-names/${'n'.repeat(length - 3)}.md`)
        if (await isRefused(async () => backend.write(at, `${length}`), at)) continue
        must.equal(await backend.read(at), `${length}`, `the text under a name of ${length} bytes`)
        must.equal((await backend.info(at)).size, 3, `the size of the text under a name of ${length} bytes`)
      }
      return undefined
    },
  },
  {
    id: 'names-case',
    sentence: 'keeps keys apart that differ in case alone, or refuses the second one',
    async check({ backend }) {
      const first = new Locator('Proj/First.md')
      await backend.write(first, 'the first')
      const taken = [first.key]
      for (const key of ['Proj/first.md', 'proj/second.md', 'PROJ/folder/third.md']) {
        const at = new Locator(key)
        await must.refuse(() => backend.read(at), 'NOT_FOUND', `reading ${key}, where only ${first.key} was written`)
        if (await isRefused(async () => backend.write(at, 'another'), at)) continue
        taken.push(key)
        must.equal(await backend.read(at), 'another', `the text at ${key}`)
      }
      must.equal(await backend.read(first), 'the first', `the text at ${first.key}`)
      must.equal(await filesBelow(backend, ''), taken.toSorted(), 'the keys that are listed')
      return undefined
    },
  },
  {
    id: 'names-accents',
    sentence: 'never replaces a text it was not told of because of another form of an accent in its key',
    needs: ['conditionalWrite'],
    async check({ backend }) {
      const taken = new Map<string, string>()
      for (const [i, key] of accented.entries()) {
        const at = new Locator(key)
        if (await isRefused(async () => backend.write(at, `text ${i}`, { ifHash: null }), at)) continue
        taken.set(key, `text ${i}`)
      }
      for (const [key, text] of taken)
        must.equal(await backend.read(new Locator(key)), text, `the text at ${inAscii(key)}`)
      must.equal((await filesBelow(backend, '')).length, taken.size, 'how many texts are listed')
      return undefined
    },
  },
]

/** The second and third key are the first one in another Unicode form: in the file's name, and in the folder's name. */
const accented = ['caf\u00E9/cr\u00EApe.md', 'caf\u00E9/cre\u0302pe.md', 'cafe\u0301/th\u00E9.md'] as const

function inAscii(key: string): string {
  return key.replaceAll(/[^ -~]/gu, (char) => `U+${char.codePointAt(0)?.toString(16)}`)
}

async function filesBelow(backend: StorageBackend, key: string): Promise<readonly string[]> {
  const found: string[] = []
  for (const child of await backend.list(new Locator(key)))
    found.push(...((await backend.info(child)).isDir ? await filesBelow(backend, child.key) : [child.key]))
  return found.toSorted()
}

/** Names that programs give to unfinished, placeholder or foreign files. */
const oddNames = [
  'note.md.tmp',
  `note.md.4711.${'0a'.repeat(16)}.tmp`,
  '~$note.md',
  'note.md~',
  '#note.md#',
  'note.md.nextcloud',
  'note.md.part',
  'note.md.crdownload',
  'note.sync-conflict-20260102-030405-ABCDEF7.md',
] as const

/** Whether the key is refused, either for itself or because a file with an unexpected name is there. */
async function isRefused(attempt: () => Promise<unknown>, at: Locator): Promise<boolean> {
  try {
    await attempt()
    return false
  } catch (error) {
    if (isSeamError(error, 'CONCURRENT_MODIFICATION')) return true
    if (!isSeamError(error, 'INVALID_LOCATOR')) throw error
    must.equal((error as InvalidLocatorError).key, at.key, 'the key that the refusal names')
    return true
  }
}

async function roundTrip({ backend }: World, samples: Readonly<Record<string, string>>): Promise<undefined> {
  for (const [i, [what, text]] of Object.entries(samples).entries()) {
    const at = new Locator(`sample-${i}.md`)
    await backend.write(at, text)
    must.equal(await backend.read(at), text, `the text read back (${what})`)
  }
  return undefined
}
