import { join } from 'node:path'
import { describeLog } from '@agentm/conformance/logs/vitest'
import { openSqliteStore } from '@agentm/nodes-sqlite'

const pathIn = (directory: string) => join(directory, 'agentm.db')

describeLog(
  'on SQLite',
  ({ directory, concepts, runtime }) => openSqliteStore({ path: pathIn(directory), concepts, runtime }),
  {
    offers: ['clock', 'reopening'],
    processes: (directory) => ({
      module: new URL('conformance-store.mjs', import.meta.url).href,
      settings: { path: pathIn(directory) },
    }),
  },
)
