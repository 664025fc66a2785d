// @ts-nocheck – the package is installed for benchmarks only.
/** An order: each step that succeeded is undone when a later one fails. */
import { defineWorkflow } from 'openworkflow'
import { z } from 'zod'
import { charge, refund, release, reserve, ship } from '../services.mjs'

const schema = z.object({ id: z.string(), address: z.string() })

export const orderSaga = defineWorkflow({ name: 'order-saga', schema }, async ({ input: order, step }) => {
  const undo = []
  try {
    const reserved = await step.run({ name: 'reserve' }, () => reserve(order))
    undo.push(() => step.run({ name: 'release' }, () => release(reserved)))
    const charged = await step.run({ name: 'charge' }, () => charge(order))
    undo.push(() => step.run({ name: 'refund' }, () => refund(charged)))
    return await step.run({ name: 'ship' }, () => ship(order))
  } catch (error) {
    for (const compensate of undo.toReversed()) await compensate()
    // The error of the step itself would have the run tried again.
    throw new Error(error.message, { cause: error })
  }
})

export async function placeOrder(client, order) {
  const handle = await client.runWorkflow(orderSaga.spec, order, { idempotencyKey: order.id })
  return handle.result()
}
