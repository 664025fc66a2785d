// @ts-check
/** An order: each step that succeeded is undone when a later one fails. */
import { durable } from '@agentm/harness'
import { z } from 'zod'
import { charge, refund, release, reserve, ship } from '../services.mjs'

const input = z.object({ id: z.string(), address: z.string() })

export const orderSaga = durable('order-saga', { input }, async (run, order) => {
  await run.step('reserve', () => reserve(order), { undo: release })
  await run.step('charge', () => charge(order), { undo: refund })
  return run.step('ship', () => ship(order))
})

/** @param {import('@agentm/harness').Harness} harness @param {z.infer<typeof input>} order */
export async function placeOrder(harness, order) {
  const handle = await harness.start(orderSaga, order, { id: order.id })
  return handle.result()
}
