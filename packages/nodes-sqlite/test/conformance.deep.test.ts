import { describeLog } from '@agentm/conformance/logs/vitest'
import { sampleConcepts } from '@agentm/conformance/logs'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { pathIn } from './open-store.ts'

const processes = (directory: string) => ({
  module: new URL('conformance-store.mjs', import.meta.url).href,
  settings: { path: pathIn(directory) },
})
const make = ({ directory }: { readonly directory: string }) =>
  openSqliteStore({ path: pathIn(directory), concepts: sampleConcepts })

describeLog('on SQLite, 10,000 steps', make, { processes, only: ['claim-race', 'take-race'], scale: 100 })
describeLog('on SQLite, 10,000 acknowledged appends and kills', make, { processes, only: ['killed-writer'], scale: 30 })
describeLog('on SQLite, larger', make, {
  processes,
  only: ['concurrent-appends', 'exact-top-k', 'writers-and-reader'],
  scale: 5,
})
