/** What an opened memory keeps from one question to the next, and by what it knows that it may. */
import { InMemoryBackend } from '@agentm/conformance'
import type { ListedInfo, Listing, Locator } from '@agentm/storage-seam'
import { expect, test } from 'vitest'
import { setup } from '../world.ts'

const noteText = (body: string) => `---\nkind: fix\nstatus: active\ncreated: 2026-01-02\n---\n\n${body}\n`

/** Fills one array for each directory, again and again: only its revision says that it holds something else. */
class OneArrayForAll extends InMemoryBackend {
  readonly #arrays = new Map<string, ListedInfo[]>()

  override async listInfo(at: Locator): Promise<Listing> {
    const { children, ...revision } = await super.listInfo(at)
    const array = this.#arrays.get(at.key) ?? []
    this.#arrays.set(at.key, array)
    array.splice(0, array.length, ...children)
    return { children: array, ...revision }
  }
}

test('a backend that fills one array for every listing is followed by the revisions it gives', async () => {
  const { memory, write } = await setup({ backend: new OneArrayForAll() })
  const found = async (text: string) => (await memory.recall({ text })).results.map(({ key }) => key)
  await write('projects/acme/fix/a.md', noteText('Copper pipes leak.'))
  expect(await found('copper')).toEqual(['projects/acme/fix/a.md'])
  await write('projects/acme/fix/b.md', noteText('Copper pipes rust.'))
  expect(new Set(await found('copper'))).toEqual(new Set(['projects/acme/fix/a.md', 'projects/acme/fix/b.md']))
  await write('projects/acme/fix/a.md', noteText('Steel pipes leak.'))
  expect(await found('copper')).toEqual(['projects/acme/fix/b.md'])
})

test('where the backend gives no revisions, everything is looked at each time', async () => {
  class WithoutRevisions extends InMemoryBackend {
    override async listInfo(at: Locator): Promise<Listing> {
      return { children: (await super.listInfo(at)).children }
    }
  }
  const { memory, write } = await setup({ backend: new WithoutRevisions() })
  const found = async (text: string) => (await memory.recall({ text })).results.map(({ key }) => key)
  await write('projects/acme/fix/a.md', noteText('Copper pipes leak.'))
  expect(await found('copper')).toEqual(['projects/acme/fix/a.md'])
  await write('projects/acme/fix/a.md', noteText('Steel pipes leak.'))
  expect([await found('copper'), await found('steel')]).toEqual([[], ['projects/acme/fix/a.md']])
})
