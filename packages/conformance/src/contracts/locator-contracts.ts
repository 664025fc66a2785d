/** Locators: what `resolve` accepts, what it refuses, and that every returned locator can be stored. */
import { isLocator, Locator, type StorageBackend } from '@agentm/storage-seam'
import { foreignLocator } from '../foreign-locator.ts'
import type { Contract } from '../contract.ts'
import { must } from '../must.ts'

export const locatorContracts: readonly Contract[] = [
  {
    id: 'resolve-names-places',
    sentence: 'names the root by no parts, and a place below it by its parts',
    async check({ backend }) {
      must.equal(backend.resolve().key, '', 'the key of resolve()')
      must.equal(backend.resolve('notes', 'one.md').key, 'notes/one.md', "the key of resolve('notes', 'one.md')")
      must.equal(backend.resolve('notes/one.md').key, 'notes/one.md', "the key of resolve('notes/one.md')")
      return undefined
    },
  },
  {
    id: 'resolve-one-spelling',
    sentence: 'gives one place one key, however it is spelled',
    async check({ backend }) {
      for (const spelling of ['/a/b', './a/b', 'a//b', 'a/./b', 'a/b/', '//a///b//'])
        must.equal(backend.resolve(spelling).key, 'a/b', `the key of ${JSON.stringify(spelling)}`)
      return undefined
    },
  },
  {
    id: 'resolve-refuses-climbing',
    sentence: 'refuses a key that climbs out of its place',
    async check({ backend }) {
      for (const key of ['..', '../a', 'a/..', 'a/../b', 'a/b/../../..', '/..'])
        await must.refuse(() => backend.resolve(key), 'INVALID_LOCATOR', `resolve(${JSON.stringify(key)})`)
      await must.refuse(() => backend.resolve('a', '..'), 'INVALID_LOCATOR', "resolve('a', '..')")
      return undefined
    },
  },
  {
    id: 'resolve-refuses-unportable',
    sentence: 'refuses a key with a backslash, a NUL or half a surrogate pair',
    async check({ backend }) {
      for (const key of ['a\\b', '..\\x', 'a\0b', 'a\uD800', '\uDC00/b'])
        await must.refuse(() => backend.resolve(key), 'INVALID_LOCATOR', `resolve(${JSON.stringify(key)})`)
      return undefined
    },
  },
  {
    id: 'locators-frozen',
    sentence: 'hands out frozen locators that resolve to themselves',
    async check({ backend }) {
      await backend.write(new Locator('kept/frozen.md'), 'text')
      for (const [verb, locator] of await handedOut(backend)) {
        must.hold(isLocator(locator), `${verb} answers something that is no locator`)
        must.hold(Object.isFrozen(locator), `${verb} answers a locator that can be changed`)
        must.equal(new Locator(locator.key).key, locator.key, `the key of the locator from ${verb}, made again`)
      }
      return undefined
    },
  },
  {
    id: 'locators-of-another-copy',
    sentence: 'takes a locator made by another copy of the seam',
    async check({ backend }) {
      const at = new Locator('shared/plugin.md')
      await backend.write(foreignLocator(at.key), 'from another copy')
      must.equal(await backend.read(foreignLocator(at.key)), 'from another copy', 'the text read through it')
      return undefined
    },
  },
]

async function handedOut(backend: StorageBackend): Promise<readonly (readonly [string, Locator])[]> {
  const at = new Locator('kept/frozen.md')
  return [
    ['resolve', backend.resolve('kept')],
    ['write', await backend.write(at, 'text, again')],
    ['mkdir', await backend.mkdir(new Locator('kept/dir'))],
    ['info', (await backend.info(at)).locator],
    ...(await backend.list(new Locator('kept'))).map((child) => ['list', child] as const),
  ]
}
