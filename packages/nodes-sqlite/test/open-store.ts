/** A store in a directory of its own that goes away with the test. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sampleConcepts } from '@agentm/conformance/logs'
import type { NodeStore } from '@agentm/nodes'
import { openSqliteStore, type SqliteStoreOptions } from '@agentm/nodes-sqlite'
import { onTestFinished } from 'vitest'

export function ownDirectory(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'agentm-sqlite-')))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

export function pathIn(directory: string): string {
  return join(directory, 'agentm.db')
}

export async function openStore(
  directory: string = ownDirectory(),
  options: Partial<SqliteStoreOptions> = {},
): Promise<NodeStore & { readonly directory: string; readonly path: string }> {
  const path = pathIn(directory)
  const store = await openSqliteStore({ path, concepts: sampleConcepts, ...options })
  onTestFinished(() => store.close())
  return { ...store, directory, path }
}

export const ada = { owner: 'ada', actor: 'test', partition: 'attic' }

export function observation(id: string, content: string, values?: readonly number[]) {
  const vector = values === undefined ? {} : { vector: { embedder: 'test', values } }
  return { concept: 'v1:sample:observation', id, payload: { content }, mutation: 'record', ...vector }
}
