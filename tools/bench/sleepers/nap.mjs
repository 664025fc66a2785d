// @ts-check
import { durable } from '@agentm/harness'
import { z } from 'zod'

/** A function that sleeps until a time, and then says so. @param {(name: string) => void} onWake */
export function nap(onWake) {
  return durable('nap', { input: z.object({ name: z.string(), until: z.number() }) }, async (run, { name, until }) => {
    await run.sleep({ until })
    onWake(name)
  })
}
