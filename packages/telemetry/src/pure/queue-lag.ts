import type { Head } from '@agentm/nodes'

/** How long the oldest of these ready steps has been waiting, in milliseconds; 0 if none could start now. */
export function lagOf(ready: readonly Pick<Head, 'held' | 'createdAt' | 'payload'>[], now: number): number {
  const startable = ready.filter(({ held, payload }) => !held && startOf(payload) <= now)
  return startable.reduce(
    (lag, { createdAt, payload }) => Math.max(lag, now - Math.max(createdAt, startOf(payload))),
    0,
  )
}

/** The earliest start that the step asks for. */
function startOf(payload: Head['payload']): number {
  const startAt = payload['startAt']
  return typeof startAt === 'number' ? startAt : 0
}
