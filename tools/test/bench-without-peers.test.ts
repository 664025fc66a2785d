import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

it('measures beside hand-written SQL where sqlite-vec has no binary for this machine', async () => {
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'agentm-no-vec-'))
  // The store's own SQLite is loaded first; sqlite-vec then asks for a processor that nobody ships a binary for.
  const program = `
    await import('@photostructure/sqlite')
    Object.defineProperty(process, 'arch', { value: 'unheard-of' })
    const { openFloor } = await import('./tools/bench/nodes/floor.mjs')
    const { hasVec } = await import('./tools/bench/nodes/sqlite.mjs')
    const floor = openFloor(${JSON.stringify(path.join(scratch, 'floor.db'))})
    floor.append([{ id: 'a', concept: 'c', content: 'kept', unit: new Uint8Array(4), at: 1 }])
    console.log([hasVec, floor.latest('a') !== undefined].join(' '))
    floor.close()`
  try {
    const run = promisify(execFile)
    const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: root })
    expect(stdout).toBe('false true\n')
    expect(stderr).toMatch(/^sqlite-vec is left out: [^\n]+\n$/)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
})
