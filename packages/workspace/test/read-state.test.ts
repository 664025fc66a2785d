import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { filePath } from '@agentm/vault-lock'
import { openWorkspaceReader } from '@agentm/workspace/reader'

const homes: string[] = []
afterEach(async () => {
  await Promise.all(homes.splice(0).map((home) => rm(home, { recursive: true, force: true })))
})

async function setup(files: Readonly<Record<string, string>>) {
  const home = await mkdtemp(path.join(tmpdir(), 'read-state-'))
  homes.push(home)
  await mkdir(path.join(home, 'repo/.harness'), { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(home, 'repo/.harness', name), text)
  const world = { env: {}, home: filePath(home), installations: [] }
  const reader = await openWorkspaceReader(path.join(home, 'repo'), { world })
  return (question: { file: string; plan?: string }) => reader.state(question)
}

describe('the state of a project', () => {
  it('reads the active plan and the progress beside it', async () => {
    const read = await setup({
      'active-plan': 'search\n',
      'PLAN-search.md': '# Search\n',
      'progress-search.md': 'half',
    })
    expect(await read({ file: 'plan' })).toMatchObject({ name: 'PLAN-search.md', text: '# Search\n' })
    expect(await read({ file: 'progress' })).toMatchObject({ name: 'progress-search.md', text: 'half' })
  })

  it('reads a named plan and a file by its name, and says what is not there', async () => {
    const read = await setup({ 'PLAN-a.md': 'a', 'features.json': '{}' })
    expect(await read({ file: 'plan', plan: 'a' })).toMatchObject({ text: 'a' })
    expect(await read({ file: 'features.json' })).toMatchObject({ text: '{}' })
    expect(await read({ file: 'plan' })).toMatchObject({ name: 'PLAN.md', text: undefined })
  })

  it('refuses a marker that cannot be followed and a name that leads out', async () => {
    const read = await setup({ 'active-plan': 'gone\n' })
    await expect(read({ file: 'plan' })).rejects.toMatchObject({ code: 'ACTIVE_PLAN' })
    await expect(read({ file: '../repo/x' })).rejects.toMatchObject({ code: 'INVALID_FILE_NAME' })
  })
})
