/** What is there: `list`, `exists`, `info` and `mkdir`. */
import { type Info, Locator } from '@agentm/storage-seam'
import { infosAskedOneByOne, infosListed, type Said, saidBy } from '../listed-infos.ts'
import type { Contract, World } from '../contract.ts'
import { must } from '../must.ts'

export const directoryContracts: readonly Contract[] = [
  {
    id: 'list-children',
    sentence: 'lists the immediate children and nothing else',
    async check(world) {
      await put(world, 'tree/x.md', 'tree/branch/y.md', 'tree/branch/deeper/z.md', 'treehouse.md', 'other/w.md')
      must.equal(new Set(await keysAt(world, 'tree')), new Set(['tree/x.md', 'tree/branch']), 'the children of tree')
      must.equal(
        new Set(await keysAt(world, '')),
        new Set(['tree', 'treehouse.md', 'other']),
        'the children of the root',
      )
      return undefined
    },
  },
  {
    id: 'list-order',
    sentence: 'lists in code point order',
    async check(world) {
      const names = ['1', '10', '2', 'B', '_', 'a', 'c.d', 'c1', 'é', '\u{FF5E}', '\u{1F4DD}']
      await put(world, ...names.toReversed().map((name) => `order/${name}`))
      must.equal(
        await keysAt(world, 'order'),
        names.map((name) => `order/${name}`),
        'the children, in order',
      )
      return undefined
    },
  },
  {
    id: 'list-hidden',
    sentence: 'lists hidden names like any other',
    async check(world) {
      // Windows has no name that ends with a dot.
      const dots = process.platform === 'win32' ? [] : ['odd/...']
      await put(world, 'odd/.hidden.md', 'odd/..double.md', 'odd/.folder/x.md', ...dots)
      const wanted = [...dots, 'odd/..double.md', 'odd/.folder', 'odd/.hidden.md']
      must.equal(new Set(await keysAt(world, 'odd')), new Set(wanted), 'the children of odd')
      must.equal(await world.backend.read(new Locator('odd/.hidden.md')), 'odd/.hidden.md', 'the hidden text')
      return undefined
    },
  },
  {
    id: 'list-absent',
    sentence: 'lists nothing where nothing is',
    async check(world) {
      await put(world, 'somewhere/x.md')
      must.equal(await keysAt(world, 'nowhere'), [], 'the children of an absent place')
      must.equal(await keysAt(world, 'nowhere/deep/er'), [], 'the children of a place below an absent one')
      must.equal(await keysAt(world, 'somewhere/x.md/y'), [], 'the children of a place below a file')
      return undefined
    },
  },
  {
    id: 'list-file',
    sentence: 'lists nothing at a file',
    async check(world) {
      await put(world, 'single.md')
      must.equal(await keysAt(world, 'single.md'), [], 'the children of a file')
      return undefined
    },
  },
  {
    id: 'exists-flips',
    sentence: 'says whether a file or directory is there, and is asked again after a write',
    async check(world) {
      const exists = async (key: string) => world.backend.exists(new Locator(key))
      await put(world, 'before.md')
      must.equal(await exists('new/file.md'), false, 'exists before the write')
      await put(world, 'new/file.md')
      must.equal(await exists('new/file.md'), true, 'exists after the write')
      must.equal(await exists('new'), true, 'exists of the directory')
      must.equal(await exists('new/file.md/x'), false, 'exists below a file')
      must.equal(await exists(''), true, 'exists of the root')
      return undefined
    },
  },
  {
    id: 'info-size',
    sentence: 'tells the size of a text in bytes of UTF-8',
    async check({ backend }) {
      const at = new Locator('sized.md')
      await backend.write(at, 'Größe 📝\r\n')
      const { size, isDir } = await backend.info(at)
      must.equal({ size, isDir }, { size: 14, isDir: false }, 'size and kind of a text')
      return undefined
    },
  },
  {
    id: 'info-directory',
    sentence: 'tells a directory from a text, and gives it no size',
    async check({ backend }) {
      await backend.write(new Locator('sizeless/x.md'), 'text')
      const { size, isDir } = await backend.info(new Locator('sizeless'))
      must.equal({ size, isDir }, { size: 0, isDir: true }, 'size and kind of a directory')
      return undefined
    },
  },
  {
    id: 'info-locator',
    sentence: 'says what place its information is about',
    async check({ backend }) {
      const at = new Locator('about/this.md')
      await backend.write(at, 'text')
      must.equal((await backend.info(at)).locator.key, at.key, 'the place')
      return undefined
    },
  },
  {
    id: 'info-mtime',
    sentence: 'gives times in seconds since the epoch',
    async check({ backend }) {
      const at = new Locator('timed.md')
      await backend.write(at, 'text')
      const { mtime } = await backend.info(at)
      // Milliseconds would be a thousand times more: the year 50,000.
      must.hold(mtime > 1e9 && mtime < 1e11, `mtime is ${mtime}; wanted seconds since the epoch`)
      return undefined
    },
  },
  {
    id: 'info-absent',
    sentence: 'has no information about nothing: NOT_FOUND',
    async check({ backend }) {
      await backend.write(new Locator('informed.md'), 'text')
      for (const key of ['uninformed.md', 'a/b/c', 'informed.md/x'])
        await must.refuse(() => backend.info(new Locator(key)), 'NOT_FOUND', `info of ${key}`)
      return undefined
    },
  },
  {
    id: 'info-revision',
    sentence: 'gives another revision whenever the text may have changed',
    async check({ backend }) {
      const at = new Locator('revised.md')
      const seen: Info[] = []
      for (let i = 0; i < 10; i++) {
        await backend.write(at, `same length ${i}`)
        seen.push(await backend.info(at))
      }
      const revisions = seen.flatMap(({ revision }) => (revision === undefined ? [] : [revision]))
      if (revisions.length === 0) return { why: 'it gives no revisions' }
      must.equal(revisions.length, seen.length, 'how many of ten infos carry a revision')
      must.equal(new Set(revisions).size, seen.length, 'how many different revisions ten texts had')
      return undefined
    },
  },
  {
    id: 'list-info',
    sentence: 'lists children with the information that asking for each gives, now',
    async check(world) {
      const { backend } = world
      await put(world, 'informed/a.md', 'informed/b/deep.md', 'informed/c.md')
      for (const text of ['as it was', 'as it is, and longer']) {
        await backend.write(new Locator('informed/c.md'), text)
        for (const key of ['informed', '', 'informed/a.md'])
          must.equal(await infosListed(backend, key), await infosAskedOneByOne(backend, key), `listInfo of ${key}`)
      }
      let questions = 0
      const { children } = await backend.listInfo(new Locator('informed'), { enough: () => ++questions > 0 })
      must.hold(children.length <= 3, `told that it is enough, it listed ${children.length} of 3 children`)
      return undefined
    },
  },
  {
    id: 'list-revision',
    sentence: 'gives one revision to two listings of a place only where they say the same of every child',
    async check(world) {
      const { backend } = world
      await put(world, 'kept/a.md', 'kept/b.md', 'kept/below/c.md')
      const changes: readonly (() => Promise<unknown>)[] = [
        async () => backend.write(new Locator('kept/a.md'), 'KEPT/A.MD'),
        async () => backend.write(new Locator('kept/d.md'), 'new'),
        async () => backend.mkdir(new Locator('kept/beside')),
        async () => backend.write(new Locator('kept/below/c.md'), 'longer than it was before'),
        async () => backend.write(new Locator('kept/a.md'), 'kept/a.md'),
        async () => (backend.capabilities.removal ? backend.remove(new Locator('kept/d.md')) : undefined),
        async () => backend.write(new Locator('kept/d.md'), 'new'),
      ]
      const seen = new Map<string, readonly [string, Said][]>()
      // Some backends know a directory from the second or third look on.
      const looks = async () => {
        for (let i = 0; i < 3; i++) {
          const listing = await backend.listInfo(new Locator('kept'))
          const { revision } = listing
          if (revision === undefined) continue
          const said = saidBy(listing)
          must.equal(said, seen.get(revision) ?? said, `the listing of revision ${JSON.stringify(revision)}`)
          seen.set(revision, said)
        }
      }
      await looks()
      for (const change of changes) {
        await change()
        await looks()
      }
      return seen.size === 0 ? { why: 'its listings carry no revisions' } : undefined
    },
  },
  {
    id: 'mkdir',
    sentence: 'makes a directory with its parents, and is content with one that is there',
    async check(world) {
      const at = new Locator('made/with/parents')
      for (const _ of ['made', 'again']) must.equal((await world.backend.mkdir(at)).key, at.key, 'what mkdir answers')
      must.equal(await keysAt(world, 'made/with'), ['made/with/parents'], 'the children of the parent')
      must.equal(await keysAt(world, 'made/with/parents'), [], 'the children of the new directory')
      return undefined
    },
  },
  {
    id: 'mkdir-keeps-content',
    sentence: 'leaves what is in a directory alone when it is made again',
    async check(world) {
      await put(world, 'full/x.md')
      await world.backend.mkdir(new Locator('full'))
      must.equal(await world.backend.read(new Locator('full/x.md')), 'full/x.md', 'the text in it')
      return undefined
    },
  },
]

/** Each text is its own key, so that a mix-up shows. */
async function put({ backend }: World, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await backend.write(new Locator(key), key)
}

async function keysAt({ backend }: World, key: string): Promise<string[]> {
  return (await backend.list(new Locator(key))).map((child) => child.key)
}
