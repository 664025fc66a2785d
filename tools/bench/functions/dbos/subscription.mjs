// @ts-nocheck – the package is installed for benchmarks only.
/** A subscription: each day's use is metered, and invoiced at the end of the month. */
import { DBOS } from '@dbos-inc/dbos-sdk'
import { z } from 'zod'
import { invoice, meter, welcome } from '../services.mjs'

const inputSchema = z.tuple([z.object({ customer: z.string(), days: z.number(), dayMs: z.number() })])

const subscription = DBOS.registerWorkflow(
  async ({ customer, days, dayMs }) => {
    let used = 0
    await DBOS.runStep(() => welcome(customer), { name: 'welcome' })
    for (let day = 1; day <= days; day++) {
      await DBOS.sleep(dayMs)
      used += await DBOS.runStep(() => meter(customer, day), { name: 'meter' })
    }
    return DBOS.runStep(() => invoice(customer, used), { name: 'invoice' })
  },
  { name: 'subscription', inputSchema },
)

export async function subscribe(input) {
  const handle = await DBOS.startWorkflow(subscription, { workflowID: input.customer })(input)
  return handle.getResult()
}
