// @ts-check
/** Proves the SQLite log on the runtime that runs this file: every contract of a node store, several processes included. */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runLogConformance, sampleConcepts } from '@agentm/conformance/logs'
import { openSqliteStore } from '@agentm/nodes-sqlite'

/** For the processes of the contracts. @param {{ readonly path: import('@agentm/vault-lock').FilePath }} settings */
export function openConformanceStore({ path: file }) {
  return openSqliteStore({ path: file, concepts: sampleConcepts })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await prove()

async function prove() {
  const { passed, failed } = await runLogConformance(
    ({ directory, concepts, runtime }) => openSqliteStore({ path: fileIn(directory), concepts, runtime }),
    {
      offers: ['clock', 'reopening'],
      processes: (directory) => ({ module: import.meta.url, settings: { path: fileIn(directory) } }),
    },
  )
  console.log(`${passed.length} kept, ${failed.length} broken`)
  for (const { id, error } of failed) console.log(`${id}: ${String(error)}`)
  if (failed.length > 0 || passed.length === 0) process.exitCode = 1
}

/** @param {string} directory @returns {import('@agentm/vault-lock').FilePath} */
function fileIn(directory) {
  return /** @type {import('@agentm/vault-lock').FilePath} */ (path.join(directory, 'agentm.db'))
}
