// @ts-check
/** A subscription: each day's use is metered, and invoiced at the end of the month. */
import { durable } from '@agentm/harness'
import { z } from 'zod'
import { invoice, meter, welcome } from '../services.mjs'

const input = z.object({ customer: z.string(), days: z.number(), dayMs: z.number() })

export const subscription = durable('subscription', { input }, async (run, { customer, days, dayMs }) => {
  let used = 0
  await run.step('welcome', () => welcome(customer))
  for (let day = 1; day <= days; day++) {
    await run.sleep(dayMs)
    used += await run.step('meter', () => meter(customer, day))
  }
  return run.step('invoice', () => invoice(customer, used))
})

/** @param {import('@agentm/harness').Harness} harness @param {z.infer<typeof input>} order */
export async function subscribe(harness, order) {
  const handle = await harness.start(subscription, order, { id: order.customer })
  return handle.result()
}
