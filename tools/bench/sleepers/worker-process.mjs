// @ts-check
/** A worker in its own process. It prints `up` once it has started, each start of a function, and each second what it uses. */
import { startWorker } from '@agentm/harness'
import { endWithParent } from '../../end-with-parent.mjs'
import { openStore } from '../harness/stores.mjs'
import { owner } from './fill.mjs'
import { nap } from './nap.mjs'

/** @typedef {{ readonly up: number } | { readonly name: string, readonly at: number }
 *   | { readonly at: number, readonly peak: number, readonly cpuMs: number }} Said */

const now = () => performance.timeOrigin + performance.now()
/** @param {Said} said */
const say = (said) => console.log(JSON.stringify(said))

endWithParent()
const store = await openStore(JSON.parse(process.argv[2] ?? ''))
await startWorker({
  store,
  owners: [owner],
  kinds: [nap((name) => say({ name, at: now() }))],
  onError: (error) => console.error(error),
})
say({ up: now() })
setInterval(() => {
  const { user, system } = process.cpuUsage()
  // `maxRSS` is in kilobytes on every system.
  say({ at: now(), peak: process.resourceUsage().maxRSS * 1024, cpuMs: (user + system) / 1000 })
}, 1000)
