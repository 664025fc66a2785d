// @ts-check
/** A worker in its own process. It prints `up` once it is ready, and the start time of each step. */
import { startWorker } from '@agentm/harness'
import { setTimeout as sleep } from 'node:timers/promises'
import { endWithParent } from '../../end-with-parent.mjs'
import { openStore } from './stores.mjs'

endWithParent()
const store = await openStore(JSON.parse(process.argv[2] ?? ''))
await startWorker({
  store,
  owners: ['ada'],
  kinds: [
    {
      name: 'nothing',
      async run({ step, signal }) {
        const at = performance.timeOrigin + performance.now()
        console.log(JSON.stringify({ title: step.title, attempt: step.attempt, at }))
        await sleep(Number(step.input?.['ms'] ?? 0), undefined, { signal })
        return { end: 'done' }
      },
    },
  ],
  onError: (error) => console.error(error),
})
console.log('"up"')
