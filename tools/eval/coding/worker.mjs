// @ts-check
/** One worker process of the evaluation: `node worker.mjs DATABASE TREES TASK`. It is killed at any time. */
import { systemRuntime } from '@agentm/agent-loop'
import { fileTools, shellTool } from '@agentm/agent-loop/tools'
import { agentKind, commandKind, harnessConcepts, startWorker } from '@agentm/harness'
import { inTrees, mergeKind, openTrees } from '@agentm/harness/trees'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { endWithParent } from '../../end-with-parent.mjs'
import { erringModel } from './erring-model.mjs'
import { leaseMs, owner } from './plan.mjs'
import { tasks } from './repositories.mjs'

const [, , database = '', treesAt = '', name] = process.argv
const task = tasks.find((each) => each.name === name)
if (task === undefined) throw new Error(`there is no task ${name}`)
endWithParent()
const store = await openSqliteStore({ path: database, concepts: harnessConcepts })
const trees = openTrees({ log: store.log, root: treesAt })
const { kind, directoryOf } = inTrees(trees)
/** @param {import('@agentm/harness').StepRun} run */
const toolsOf = async (run) => {
  const root = await run.directory()
  return [
    ...fileTools({ root, runtime: systemRuntime }),
    shellTool({ root, policy: { allow: ['rm'] }, runtime: systemRuntime }),
  ]
}
const model = erringModel(task)
await startWorker({
  store,
  owners: [owner],
  kinds: [agentKind({ log: store.log, modelOf: () => model, toolsOf }), commandKind(), mergeKind(trees)].map(kind),
  directoryOf: async (run) => (await directoryOf(run)) ?? treesAt,
  leaseMs,
})
