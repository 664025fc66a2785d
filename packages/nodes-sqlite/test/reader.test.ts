import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { defineConcept } from '@agentm/nodes'
import { openSqliteStore, openSqliteReader } from '@agentm/nodes-sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod'

const fact = defineConcept({
  name: 'v1:test:fact',
  schema: z.object({ text: z.string() }),
  recallable: { text: ({ text }) => text },
})
const made: string[] = []
afterEach(async () => {
  await Promise.all(made.splice(0).map((directory) => rm(directory, { recursive: true, force: true })))
})

async function setup() {
  const home = await mkdtemp(path.join(tmpdir(), 'sqlite-reader-'))
  made.push(home)
  const options = { path: path.join(home, 'log.db'), concepts: [fact] }
  const append = async (id: string) => {
    const store = await openSqliteStore(options)
    const draft = { concept: fact.name, id, payload: { text: `the ${id} is in the attic` }, mutation: 'learn' }
    await store.log.append([draft], { owner: 'ada', actor: 'test' })
    await store.close()
  }
  return { home, options, append }
}

describe('a reader', () => {
  it('makes nothing where there is no log', async () => {
    const { home, options } = await setup()
    expect(await openSqliteReader(options)).toBeUndefined()
    expect(await readdir(home)).toEqual([])
  })

  it('finds what is there, also while somebody else writes', async () => {
    const { options, append } = await setup()
    await append('fuse')
    const reader = await openSqliteReader(options)
    await append('lamp')
    const found = await reader?.recall.recall({ owner: 'ada', text: 'attic' })
    expect(found?.hits.map(({ id }) => id).toSorted()).toEqual(['v1:test:fact:fuse', 'v1:test:fact:lamp'])
    await reader?.close()
  })

  it('cannot write', async () => {
    const { options, append } = await setup()
    await append('fuse')
    const reader = await openSqliteReader(options)
    const draft = { concept: fact.name, id: 'x', payload: { text: 'x' }, mutation: 'learn' }
    await expect(reader?.log.append([draft], { owner: 'ada', actor: 'test' })).rejects.toMatchObject({
      code: 'STORE_FAULT',
      fault: 'read-only',
    })
    await reader?.close()
    expect(existsSync(options.path)).toBe(true)
  })
})
