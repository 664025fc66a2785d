/**
 * "Absent", "in the way" and "not a file" are three different errors. Each contract first writes something else, because a store without a
 * root may refuse every call.
 */
import { Locator } from '@agentm/storage-seam'
import type { Contract } from '../contract.ts'
import { must } from '../must.ts'

export const absenceContracts: readonly Contract[] = [
  {
    id: 'read-absent',
    sentence: 'answers a read of nothing with NOT_FOUND',
    async check({ backend }) {
      await backend.write(new Locator('there/neighbour.md'), 'text')
      for (const key of ['absent.md', 'there/absent.md', 'absent/absent.md'])
        await must.refuse(() => backend.read(new Locator(key)), 'NOT_FOUND', `reading ${key}`)
      return undefined
    },
  },
  {
    id: 'read-below-file',
    sentence: 'answers a read below a file with NOT_FOUND',
    async check({ backend }) {
      await backend.write(new Locator('leaf.md'), 'text')
      await must.refuse(() => backend.read(new Locator('leaf.md/x.md')), 'NOT_FOUND', 'reading leaf.md/x.md')
      return undefined
    },
  },
  {
    id: 'read-directory',
    sentence: 'answers a read of a directory with NOT_A_FILE',
    async check({ backend }) {
      await backend.write(new Locator('folder/inside.md'), 'text')
      await must.refuse(() => backend.read(new Locator('folder')), 'NOT_A_FILE', 'reading folder')
      return undefined
    },
  },
  {
    id: 'write-root-refused',
    sentence: 'refuses to write text at the root',
    async check({ backend }) {
      await backend.write(new Locator('below-root.md'), 'text')
      await must.refuse(() => backend.write(new Locator(''), 'text'), 'NOT_A_FILE', 'writing at the root')
      must.equal(await backend.read(new Locator('below-root.md')), 'text', 'the text below the root, afterwards')
      return undefined
    },
  },
  {
    id: 'write-directory-refused',
    sentence: 'refuses to write text where a directory is',
    async check({ backend }) {
      const inside = new Locator('taken/inside.md')
      await backend.write(inside, 'text')
      await must.refuse(() => backend.write(new Locator('taken'), 'flat'), 'NOT_A_FILE', 'writing at a directory')
      must.equal(await backend.read(inside), 'text', 'the text in the directory, afterwards')
      return undefined
    },
  },
  {
    id: 'write-below-file-refused',
    sentence: 'refuses to write text below a file',
    async check({ backend }) {
      const file = new Locator('stem.md')
      await backend.write(file, 'text')
      await must.refuse(() => backend.write(file.child('x', 'y.md'), 'leaf'), 'NOT_A_FILE', 'writing below a file')
      must.equal(await backend.read(file), 'text', 'the text of the file, afterwards')
      return undefined
    },
  },
  {
    id: 'mkdir-file-refused',
    sentence: 'refuses to make a directory where a file is, or below one',
    async check({ backend }) {
      const file = new Locator('plain.md')
      await backend.write(file, 'text')
      await must.refuse(() => backend.mkdir(file), 'NOT_A_FILE', 'mkdir at a file')
      await must.refuse(() => backend.mkdir(file.child('dir')), 'NOT_A_FILE', 'mkdir below a file')
      must.equal(await backend.read(file), 'text', 'the text of the file, afterwards')
      return undefined
    },
  },
]
