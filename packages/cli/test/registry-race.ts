/** Several processes register repositories in one store at once; answers how many are there afterwards. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { plugin as deviceLocal } from '@agentm/backend-device-local'
import { plugin as vault } from '@agentm/backend-vault'
import { readRepos } from '@agentm/routing'

export const backends = {
  'device-local': { plugin: deviceLocal, module: '@agentm/backend-device-local' },
  vault: { plugin: vault, module: '@agentm/backend-vault' },
}

export async function registryRace(
  { plugin, module }: (typeof backends)[keyof typeof backends],
  { processes, each }: { readonly processes: number; readonly each: number },
): Promise<number> {
  const home = await mkdtemp(path.join(tmpdir(), 'registry-race-'))
  const root = path.join(home, 'store')
  const child = fileURLToPath(new URL('children/register-many.mjs', import.meta.url))
  try {
    await Promise.all(
      Array.from({ length: processes }, (_, i) =>
        promisify(execFile)(process.execPath, [child, module, root, `p${i}`, String(each)]),
      ),
    )
    const repos = await readRepos(await plugin.open({ root, vault_path: root }))
    return new Set(repos.map(({ slug }) => slug)).size
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}
