import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { installationsOf, type SelectionWorld } from '@agentm/selection'
import { filePath } from '@agentm/vault-lock'
import { openWorkspace } from '@agentm/workspace'
import { afterEach, describe, expect, it } from 'vitest'

const made: string[] = []
afterEach(async () => {
  await Promise.all(made.splice(0).map((directory) => rm(directory, { recursive: true, force: true })))
})

async function setup(env: Readonly<Record<string, string>> = {}) {
  const home = filePath(await mkdtemp(path.join(tmpdir(), 'store-marker-')))
  made.push(home)
  const here = filePath(path.resolve(import.meta.dirname, '..'))
  const world: SelectionWorld = { env, home, installations: await installationsOf(here, '@agentm/workspace') }
  const open = async () => (await openWorkspace(home, { world })).storage()
  const config = path.join(home, '.claude', '.agentm-config.json')
  return { home, open, config }
}

describe('the id of a store', () => {
  it('is made once, in the store and beside its settings', async () => {
    const { home, open, config } = await setup()
    const { storeId } = await open()
    expect(JSON.parse(await readFile(path.join(home, '.agentm/memory/_meta/agentm-store.json'), 'utf8'))).toEqual({
      id: storeId,
    })
    expect(JSON.parse(await readFile(config, 'utf8'))).toMatchObject({ 'plugins.device-local.store_id': storeId })
    expect((await open()).storeId).toBe(storeId)
  })

  it('is one id for processes that open an empty store together', async () => {
    const { open } = await setup()
    const ids = await Promise.all(Array.from({ length: 8 }, async () => (await open()).storeId))
    expect(new Set(ids).size).toBe(1)
  })

  it('is adopted from a store another machine has made', async () => {
    const { home, open } = await setup()
    const meta = path.join(home, '.agentm/memory/_meta')
    await mkdir(meta, { recursive: true })
    await writeFile(path.join(meta, 'agentm-store.json'), '{"id":"from-elsewhere"}')
    expect((await open()).storeId).toBe('from-elsewhere')
  })

  it('is never made again: a store that lost it is refused', async () => {
    const { home, open } = await setup()
    await open()
    await rm(path.join(home, '.agentm/memory/_meta'), { recursive: true })
    await expect(open()).rejects.toMatchObject({ code: 'STORAGE_SELECTION', reason: 'no-root' })
  })

  it('is refused where the marker is corrupt, and the file is left as it is', async () => {
    const { home, open } = await setup()
    const marker = path.join(home, '.agentm/memory/_meta/agentm-store.json')
    await mkdir(path.dirname(marker), { recursive: true })
    await writeFile(marker, '{"id":')
    await expect(open()).rejects.toMatchObject({ code: 'STORE_MARKER_CORRUPT' })
    expect(await readFile(marker, 'utf8')).toBe('{"id":')
  })
})
