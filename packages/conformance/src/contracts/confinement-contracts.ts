/**
 * A backend over a directory stays inside it. A key cannot lead out, so the contracts test links that a person or a sync program put into
 * the tree, and locators that were created by hand.
 */
import { existsSync } from 'node:fs'
import { mkdir, readFile, symlink, unlink, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { Locator, type StorageBackend } from '@agentm/storage-seam'
import type { Contract, Unproven, World } from '../contract.ts'
import { foreignLocator } from '../foreign-locator.ts'
import { fileTree } from '../file-tree.ts'
import { infosAskedOneByOne, infosListed } from '../listed-infos.ts'
import { must } from '../must.ts'

const secret = 'not of this store'
const notNamedByKey = { why: 'its files are not named by their keys' }
const noLinks = { why: 'no links can be made where its files are' }

export const confinementContracts: readonly Contract[] = [
  {
    id: 'confined-read',
    sentence: 'shows nothing outside its directory through a link',
    needs: ['directory'],
    async check(world) {
      const unproven = await plantLinks(world)
      if (unproven !== undefined) return unproven
      const { backend } = world
      for (const key of ['file-link.md', 'folder-link/secret.md', 'relative-link/secret.md', 'chain/secret.md'])
        await must.fail(() => backend.read(new Locator(key)), `reading ${key}, which a link leads outside`)
      for (const key of ['folder-link', 'relative-link', 'chain'])
        must.equal(await listed(backend, key), [], `the children of ${key}, which leads outside`)
      for (const key of ['folder-link/secret.md', 'chain/secret.md'])
        await must.fail(() => backend.info(new Locator(key)), `info of ${key}, which a link leads outside`)
      return undefined
    },
  },
  {
    id: 'list-info-links',
    sentence: 'follows no link in a listing that it does not follow when it is asked for alone',
    needs: ['directory'],
    async check(world) {
      const unproven = await plantLinks(world)
      if (unproven !== undefined) return unproven
      const { backend } = world
      await symlink('inside.md', join(world.files.root, 'inner-link.md'))
      must.equal(await infosListed(backend, ''), await infosAskedOneByOne(backend, ''), 'listInfo beside links')
      return undefined
    },
  },
  {
    id: 'links-one-key',
    sentence: 'shows what is in a folder under one key, and comes to an end, whatever links lead there',
    needs: ['directory'],
    async check({ backend, files: { root } }) {
      for (const key of ['a/note.md', 'b/other.md']) await backend.write(new Locator(key), key)
      if (!existsSync(join(root, 'a', 'note.md'))) return notNamedByKey
      if (!(await mayLink(root))) return noLinks
      await symlink(join('..', 'a'), join(root, 'b', 'to-a'))
      await symlink('.', join(root, 'a', 'itself'))
      await symlink('..', join(root, 'a', 'up'))
      await symlink(root, join(root, 'b', 'all'))
      must.equal(await textsFound(backend), ['a/note.md', 'b/other.md'], 'the keys at which a walk finds texts')
      await must.fail(() => backend.read(new Locator('b/to-a/note.md')), 'reading a/note.md as b/to-a/note.md')
      return undefined
    },
  },
  {
    id: 'confined-write',
    sentence: 'changes nothing outside its directory through a link',
    needs: ['directory'],
    async check(world) {
      const unproven = await plantLinks(world)
      if (unproven !== undefined) return unproven
      const before = await fileTree(world.files.outside)
      for (const key of [
        'file-link.md',
        'dangling.md',
        ...below('folder-link'),
        ...below('relative-link'),
        ...below('chain'),
      ])
        for (const attempt of changesAt(world.backend, new Locator(key))) await attempt().catch(() => undefined)
      must.equal(await fileTree(world.files.outside), before, 'the files outside the store')
      return undefined
    },
  },
  {
    id: 'confined-forged',
    sentence: 'reaches nothing outside its directory by a locator made by hand',
    needs: ['directory'],
    async check({ backend, files }) {
      await backend.write(new Locator('inside.md'), 'inside')
      await writeFile(join(files.outside, 'secret.md'), secret)
      const before = await fileTree(files.outside)
      const outside = relative(files.root, files.outside).replaceAll('\\', '/')
      for (const key of [`${outside}/secret.md`, `x/../${outside}/secret.md`, `${outside}/new.md`]) {
        const text = await backend.read(foreignLocator(key)).catch(() => undefined)
        must.hold(text !== secret, `reading a locator with the key ${key} gave what lies outside`)
        for (const attempt of changesAt(backend, foreignLocator(key))) await attempt().catch(() => undefined)
      }
      must.equal(await fileTree(files.outside), before, 'the files outside the store')
      return undefined
    },
  },
  {
    id: 'corrupt-text',
    sentence: 'reports a file that is not UTF-8 as corrupt and leaves it as it is',
    needs: ['directory'],
    async check({ backend, files }) {
      const path = join(files.root, 'corrupt', 'bytes.md')
      const bytes = Buffer.from([0x61, 0xff, 0xfe, 0xc3, 0x28, 0x0a])
      await backend.write(new Locator('corrupt/bytes.md'), 'text')
      if (!existsSync(path)) return notNamedByKey
      await writeFile(path, bytes)
      const at = new Locator('corrupt/bytes.md')
      await must.refuse(() => backend.read(at), 'CORRUPT_TEXT', 'reading bytes that are not UTF-8')
      if (backend.capabilities.conditionalWrite)
        await must.refuse(() => backend.update(at, () => 'text'), 'CORRUPT_TEXT', 'updating them')
      must.hold(bytes.equals(await readFile(path)), 'the bytes of the corrupt file were changed')
      return undefined
    },
  },
]

/** The reason why no links could be planted; `undefined` if they were planted. */
async function plantLinks({ backend, files: { root, outside } }: World): Promise<Unproven | undefined> {
  await backend.write(new Locator('inside.md'), 'inside')
  if (!existsSync(join(root, 'inside.md'))) return notNamedByKey
  if (!(await mayLink(root))) return noLinks
  await writeFile(join(outside, 'secret.md'), secret)
  await mkdir(join(outside, 'folder'))
  await writeFile(join(outside, 'folder', 'secret.md'), secret)
  await symlink(join(outside, 'secret.md'), join(root, 'file-link.md'))
  await symlink(join(outside, 'absent.md'), join(root, 'dangling.md'))
  await symlink(join(outside, 'folder'), join(root, 'folder-link'))
  await symlink(relative(root, outside), join(root, 'relative-link'))
  await symlink('relative-link/folder', join(root, 'chain'))
  return undefined
}

/**
 * Whether links can be made here. Some disks do not support them, some systems forbid them, and Wine reports success without making one.
 */
async function mayLink(root: string): Promise<boolean> {
  const probe = join(root, 'probe')
  try {
    await symlink('nowhere', probe)
    await unlink(probe)
    return true
  } catch (error) {
    const { code } = error as { readonly code?: unknown }
    if (withoutLinks.includes(String(code))) return false
    throw error
  }
}

const withoutLinks = ['ENOSYS', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOENT']

/** All texts found by walking every listed directory, with a limit against endless trees. */
async function textsFound(backend: StorageBackend): Promise<readonly string[]> {
  const found: string[] = []
  const directories = [new Locator('')]
  for (let i = 0; i < directories.length && i < 100; i++)
    for (const child of await listed(backend, directories[i]?.key ?? '')) {
      const info = await backend.info(new Locator(child)).catch(() => undefined)
      if (info?.isDir === true) directories.push(info.locator)
      else if (info !== undefined) found.push(child)
    }
  return found.toSorted()
}

function below(key: string): readonly string[] {
  return [`${key}/secret.md`, `${key}/new.md`, `${key}/new/deep.md`]
}

/** Every call that changes something. Each may be refused; calls without a declared capability always are. */
function changesAt(backend: StorageBackend, at: Locator): readonly (() => Promise<unknown>)[] {
  return [
    async () => backend.write(at, 'escaped'),
    async () => backend.update(at, () => 'escaped'),
    async () => backend.mkdir(at),
    async () => backend.remove(at),
  ]
}

async function listed(backend: StorageBackend, key: string): Promise<readonly string[]> {
  try {
    return (await backend.list(new Locator(key))).map((child) => child.key)
  } catch {
    return []
  }
}
