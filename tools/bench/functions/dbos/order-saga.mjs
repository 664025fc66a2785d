// @ts-nocheck – the package is installed for benchmarks only.
/** An order: each step that succeeded is undone when a later one fails. */
import { DBOS } from '@dbos-inc/dbos-sdk'
import { z } from 'zod'
import { charge, refund, release, reserve, ship } from '../services.mjs'

const inputSchema = z.tuple([z.object({ id: z.string(), address: z.string() })])

const orderSaga = DBOS.registerWorkflow(
  async (order) => {
    const undo = []
    try {
      const reserved = await DBOS.runStep(() => reserve(order), { name: 'reserve' })
      undo.push(() => DBOS.runStep(() => release(reserved), { name: 'release' }))
      const charged = await DBOS.runStep(() => charge(order), { name: 'charge' })
      undo.push(() => DBOS.runStep(() => refund(charged), { name: 'refund' }))
      return await DBOS.runStep(() => ship(order), { name: 'ship' })
    } catch (error) {
      for (const compensate of undo.toReversed()) await compensate()
      throw error
    }
  },
  { name: 'order-saga', inputSchema },
)

export async function placeOrder(order) {
  const handle = await DBOS.startWorkflow(orderSaga, { workflowID: order.id })(order)
  return handle.getResult()
}
