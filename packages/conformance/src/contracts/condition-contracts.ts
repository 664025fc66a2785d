/** Conditional writes, updates and removals lose no change, within one process. The process contracts test the same between processes. */
import { contentHash, Locator } from '@agentm/storage-seam'
import type { Contract } from '../contract.ts'
import { must } from '../must.ts'

const conditionalWrites: readonly Omit<Contract, 'needs'>[] = [
  {
    id: 'condition-match',
    sentence: 'writes when the text there has the given hash',
    async check({ backend }) {
      const at = new Locator('matching.md')
      await backend.write(at, '\uFEFFolder Größe 📝\r\n')
      await backend.write(at, 'newer and also longer', { ifHash: contentHash('\uFEFFolder Größe 📝\r\n') })
      must.equal(await backend.read(at), 'newer and also longer', 'the text after the write')
      return undefined
    },
  },
  {
    id: 'condition-mismatch',
    sentence: 'refuses to write over a text with another hash',
    async check({ backend }) {
      const at = new Locator('mismatching.md')
      await backend.write(at, 'theirs')
      const attempt = async () => backend.write(at, 'mine, later', { ifHash: contentHash('older') })
      await must.refuse(attempt, 'CONCURRENT_MODIFICATION', 'a write with an old hash')
      must.equal(await backend.read(at), 'theirs', 'the text after the refusal')
      return undefined
    },
  },
  {
    id: 'condition-gone',
    sentence: 'refuses to write by hash where nothing is',
    async check({ backend }) {
      await backend.write(new Locator('gone/neighbour.md'), 'text')
      const attempt = async () => backend.write(new Locator('gone/it.md'), 'mine', { ifHash: contentHash('older') })
      await must.refuse(attempt, 'CONCURRENT_MODIFICATION', 'a write with a hash where nothing is')
      must.equal(
        (await backend.list(new Locator('gone'))).map(String),
        ['gone/neighbour.md'],
        'what is listed afterwards',
      )
      return undefined
    },
  },
  {
    id: 'condition-absent',
    sentence: 'writes with ifHash null only where nothing is',
    async check({ backend }) {
      const at = new Locator('created.md')
      await backend.write(at, 'first', { ifHash: null })
      const attempt = async () => backend.write(at, 'second', { ifHash: null })
      await must.refuse(attempt, 'CONCURRENT_MODIFICATION', 'creating what is there')
      must.equal(await backend.read(at), 'first', 'the text after the refusal')
      return undefined
    },
  },
]

const updates: readonly Omit<Contract, 'needs'>[] = [
  {
    id: 'update-creates',
    sentence: 'updates nothing into something, and says there was nothing',
    async check({ backend }) {
      const at = new Locator('update/created.md')
      const seen: (string | undefined)[] = []
      await backend.update(at, (current) => {
        seen.push(current)
        return 'created'
      })
      must.equal(seen.at(-1), undefined, 'what the change was given where nothing was')
      must.equal(await backend.read(at), 'created', 'the text afterwards')
      return undefined
    },
  },
  {
    id: 'update-exact',
    sentence: 'gives an update the exact text, and keeps exactly what it makes of it',
    async check({ backend }) {
      const at = new Locator('update/exact.md')
      await backend.write(at, 'one \uFEFF\r\n📝\n\n')
      await backend.update(at, (current) => `${current}two\r\n`)
      must.equal(await backend.read(at), 'one \uFEFF\r\n📝\n\ntwo\r\n', 'the text afterwards')
      return undefined
    },
  },
  {
    id: 'update-leaves-alone',
    sentence: 'changes nothing when an update wants nothing',
    async check({ backend }) {
      const [at, absent] = [new Locator('update/kept.md'), new Locator('update/never.md')]
      await backend.write(at, 'kept')
      const { mtime } = await backend.info(at)
      await backend.update(at, () => undefined)
      await backend.update(absent, () => undefined)
      must.equal(await backend.read(at), 'kept', 'the text afterwards')
      must.equal((await backend.info(at)).mtime, mtime, 'its time afterwards')
      must.equal(
        (await backend.list(new Locator('update'))).map(String),
        ['update/kept.md'],
        'what is listed afterwards',
      )
      return undefined
    },
  },
  {
    id: 'update-answers-text',
    sentence: 'answers an update with the text that is there afterwards',
    async check({ backend }) {
      const at = new Locator('update/answered.md')
      await backend.write(at, 'old')
      must.equal(await backend.update(at, () => 'new, after'), 'new, after', 'the answer of a change')
      return undefined
    },
  },
  {
    id: 'update-concurrent',
    sentence: 'loses none of fifty updates made at once',
    async check({ backend }) {
      const at = new Locator('update/busy.md')
      await backend.write(at, 'start\n')
      const tokens = Array.from({ length: 50 }, (_, i) => `update ${i}`)
      await Promise.all(tokens.map(async (token) => backend.update(at, (current) => `${current}${token}\n`)))
      const lines = (await backend.read(at)).trimEnd().split('\n').slice(1)
      must.equal(lines.toSorted(), tokens.toSorted(), 'the lines after fifty updates, sorted')
      return undefined
    },
  },
  {
    id: 'update-throws',
    sentence: 'leaves everything as it was when a change throws, and passes the error on',
    async check({ backend }) {
      const at = new Locator('update/thrown.md')
      await backend.write(at, 'old')
      const thrown = new Error('the change gives up')
      const attempt = backend.update(at, () => {
        throw thrown
      })
      must.hold(
        (await attempt.catch((error: unknown) => error)) === thrown,
        'the error of the change did not come through',
      )
      must.equal(await backend.read(at), 'old', 'the text afterwards')
      return undefined
    },
  },
  {
    id: 'update-after-throw',
    sentence: 'goes on with the next update after one that threw',
    async check({ backend }) {
      const at = new Locator('update/recovered.md')
      await backend.write(at, 'old')
      await Promise.allSettled([backend.update(at, giveUp), backend.update(at, (current) => `${current}, new`)])
      must.equal(await backend.read(at), 'old, new', 'the text afterwards')
      return undefined
    },
  },
  {
    id: 'update-ill-formed-refused',
    sentence: 'refuses half a surrogate pair from an update and changes nothing',
    async check({ backend }) {
      const at = new Locator('update/half.md')
      await backend.write(at, 'old')
      await must.refuse(() => backend.update(at, () => 'a\uD800'), 'INVALID_TEXT', 'an update to ill-formed text')
      must.equal(await backend.read(at), 'old', 'the text after the refusal')
      return undefined
    },
  },
]

const removals: readonly Omit<Contract, 'needs'>[] = [
  {
    id: 'remove',
    sentence: 'removes a text, and then it is gone',
    async check({ backend }) {
      const at = new Locator('remove/it.md')
      await backend.write(at, 'text')
      await backend.remove(at)
      await must.refuse(() => backend.read(at), 'NOT_FOUND', 'reading what was removed')
      must.equal((await backend.list(new Locator('remove'))).map(String), [], 'what is listed afterwards')
      return undefined
    },
  },
  {
    id: 'remove-only-that',
    sentence: 'removes nothing beside it',
    async check({ backend }) {
      const others = ['beside/it.md.bak', 'beside/it.mdx', 'beside/another.md', 'beside2/more.md']
      for (const key of [...others, 'beside/it.md']) await backend.write(new Locator(key), key)
      await backend.remove(new Locator('beside/it.md'))
      for (const key of others) must.equal(await backend.read(new Locator(key)), key, `the text at ${key}`)
      return undefined
    },
  },
  {
    id: 'remove-absent',
    sentence: 'answers a removal of nothing with NOT_FOUND',
    async check({ backend }) {
      await backend.write(new Locator('present.md'), 'text')
      for (const key of ['not-present.md', 'not/present.md'])
        await must.refuse(() => backend.remove(new Locator(key)), 'NOT_FOUND', `removing ${key}`)
      return undefined
    },
  },
  {
    id: 'remove-match',
    sentence: 'removes by hash what has that hash',
    async check({ backend }) {
      const at = new Locator('remove/by-hash.md')
      await backend.write(at, 'Größe 📝\r\n')
      await backend.remove(at, { ifHash: contentHash('Größe 📝\r\n') })
      await must.refuse(() => backend.read(at), 'NOT_FOUND', 'reading what was removed')
      return undefined
    },
  },
  {
    id: 'remove-mismatch',
    sentence: 'removes no text that changed since it was read',
    async check({ backend }) {
      const at = new Locator('changed-since.md')
      await backend.write(at, 'theirs')
      const attempt = async () => backend.remove(at, { ifHash: contentHash('older') })
      await must.refuse(attempt, 'CONCURRENT_MODIFICATION', 'a removal with an old hash')
      must.equal(await backend.read(at), 'theirs', 'the text after the refusal')
      return undefined
    },
  },
  {
    id: 'remove-directory-refused',
    sentence: 'removes no directory',
    async check({ backend }) {
      const inside = new Locator('whole/inside.md')
      await backend.write(inside, 'text')
      await must.refuse(() => backend.remove(new Locator('whole')), 'NOT_A_FILE', 'removing a directory')
      must.equal(await backend.read(inside), 'text', 'the text in it, afterwards')
      return undefined
    },
  },
]

export const conditionContracts: readonly Contract[] = [
  ...[...conditionalWrites, ...updates].map((contract) => ({ ...contract, needs: ['conditionalWrite'] as const })),
  ...removals.map((contract) => ({ ...contract, needs: ['removal'] as const })),
]

function giveUp(): never {
  throw new Error('the change gives up')
}
