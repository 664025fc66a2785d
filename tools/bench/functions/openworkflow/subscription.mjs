// @ts-nocheck – the package is installed for benchmarks only.
/** A subscription: each day's use is metered, and invoiced at the end of the month. */
import { defineWorkflow } from 'openworkflow'
import { z } from 'zod'
import { invoice, meter, welcome } from '../services.mjs'

const schema = z.object({ customer: z.string(), days: z.number(), dayMs: z.number() })

export const subscription = defineWorkflow({ name: 'subscription', schema }, async ({ input, step }) => {
  const { customer, days, dayMs } = input
  let used = 0
  await step.run({ name: 'welcome' }, () => welcome(customer))
  for (let day = 1; day <= days; day++) {
    await step.sleep(`day ${day}`, `${dayMs}ms`)
    used += await step.run({ name: `meter ${day}` }, () => meter(customer, day))
  }
  return step.run({ name: 'invoice' }, () => invoice(customer, used))
})

export async function subscribe(client, input) {
  const handle = await client.runWorkflow(subscription.spec, input, { idempotencyKey: input.customer })
  return handle.result()
}
