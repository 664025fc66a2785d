import { hostname } from 'node:os'
import type { Session } from '@agentm/nodes'
import { isProcessThere } from './is-process-there.ts'

/** Whether the process of a worker session ran on this machine and has ended, even if its lease has not. */
export function isGoneHere({ facts }: Pick<Session, 'facts'>): boolean {
  return facts['host'] === hostname() && !isProcessThere(Number(facts['pid']))
}
