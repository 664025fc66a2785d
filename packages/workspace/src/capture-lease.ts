/**
 * The right to capture sessions on this machine. One process has it at a time; another one that asks gets nothing and ends. The lease
 * is a worker session of the log, so it ends with its process.
 */
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Session, WorkLog } from '@agentm/nodes'
import { isProcessThere } from './is-process-there.ts'

const actor = 'capture'
const leaseMs = 30_000

export interface CaptureLease {
  release(): Promise<void>
}

/** `undefined` if another process of this machine captures now. */
export async function takeCaptureLease(
  work: Pick<WorkLog, 'now' | 'openSession' | 'closeSession' | 'renew' | 'sessions'>,
  owner: string,
): Promise<CaptureLease | undefined> {
  const facts = { host: hostname(), pid: `${process.pid}`, owner }
  if ((await othersAtWork(work, facts)).length > 0) return undefined
  const own = await work.openSession({ actor, leaseMs, facts })
  if (!(await isFirst(work, facts, own))) {
    await work.closeSession(own.id)
    return undefined
  }
  const renewing = setInterval(() => void work.renew(own.id, { leaseMs }).catch(() => {}), leaseMs / 3)
  renewing.unref()
  return {
    async release() {
      clearInterval(renewing)
      await work.closeSession(own.id)
    },
  }
}

interface Facts {
  readonly host: string
  readonly owner: string
}

// Longer than it takes another process to see this one and to give way.
const looks = 10
const betweenLooksMs = 50

/**
 * Of those that start at the same moment, the first one goes on. A later one that has not seen this one had the right already, so
 * it stays, and this one gives way.
 */
async function isFirst(work: Pick<WorkLog, 'now' | 'sessions'>, facts: Facts, own: Session): Promise<boolean> {
  for (let look = 0; look < looks; look++) {
    const others = (await othersAtWork(work, facts)).filter(({ id }) => id !== own.id)
    if (others.length === 0) return true
    if (others.some((other) => isBefore(other, own))) return false
    await sleep(betweenLooksMs)
  }
  return false
}

async function othersAtWork(
  work: Pick<WorkLog, 'now' | 'sessions'>,
  { host, owner }: Facts,
): Promise<readonly Session[]> {
  const [now, sessions] = [await work.now(), await work.sessions()]
  return sessions.filter(
    (each) =>
      each.actor === actor &&
      each.leaseUntil > now &&
      each.facts['host'] === host &&
      each.facts['owner'] === owner &&
      // A killed process keeps its lease in the log until it expires, and needs it no more.
      isProcessThere(Number(each.facts['pid'])),
  )
}

function isBefore(a: Session, b: Session): boolean {
  return a.startedAt < b.startedAt || (a.startedAt === b.startedAt && a.id < b.id)
}
