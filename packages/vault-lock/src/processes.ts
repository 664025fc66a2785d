/**
 * Whether another process of this machine has ended. This is known only on Linux and only within one process table, because a process id
 * means nothing on another machine, after a restart, or in another container.
 */
import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { type ProcessName, processOf } from './pure/process-name.ts'

export interface Processes {
  /** This process; `undefined` if other processes could not find out whether it has ended. */
  readonly self: () => ProcessName | undefined
  /** False if it has not ended or if that is uncertain. */
  readonly hasEnded: (name: ProcessName) => boolean
}

/** Whether these times were set by a process that has ended. */
export function isOfEnded(
  stats: { readonly atimeNs: bigint; readonly mtimeNs: bigint },
  processes: Processes,
): boolean {
  const name = processOf(stats)
  return name !== undefined && processes.hasEnded(name)
}

interface ProcessState {
  readonly state: string
  readonly threads: number
  readonly start: number
}

let known: { readonly self: ProcessName | undefined } | undefined

export const nodeProcesses: Processes = {
  self: () => (known ??= { self: nameSelf() }).self,
  hasEnded({ pid, table, start }) {
    const self = nodeProcesses.self()
    if (table !== self?.table) return false
    if (pid === process.pid) return start !== self.start
    if (!isThere(pid)) return true
    const found = look(`${pid}`)
    if (found === undefined) return false
    // The process ended if its id now belongs to another process, or if it is a zombie whose parent has not read its exit code yet.
    return found.start !== start || (/[ZX]/.test(found.state) && found.threads <= 1)
  },
}

function nameSelf(): ProcessName | undefined {
  // Deno rounds times to milliseconds and so loses the part of a process name that is in the microseconds. A living process would then look
  // like another one.
  if (process.platform !== 'linux' || process.versions['deno'] !== undefined) return undefined
  try {
    // A /proc that belongs to another container shows other processes under these ids.
    if (readlinkSync('/proc/self') !== `${process.pid}`) return undefined
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const found = look('self')
    if (boot === '' || found === undefined) return undefined
    const names = `${boot} ${readlinkSync('/proc/self/ns/pid')} ${clockNamespace()}`
    const table = createHash('sha256').update(names).digest().readUInt32BE() >>> 6
    return { pid: process.pid, table, start: found.start }
  } catch {
    return undefined
  }
}

/** Linux reports the start of a process by the clock of the process that asks, so both must share a time namespace. */
function clockNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/time')
  } catch {
    return ''
  }
}

/** A process that exists but may not be signalled counts as present. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

function look(pid: string): ProcessState | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The program name is in parentheses and may contain any character, so the fields are read after the last parenthesis.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const start = Number(fields[19])
    if (!Number.isInteger(start)) return undefined
    return { state: fields[0] ?? '', threads: Number(fields[17]), start: start % 1000 }
  } catch {
    return undefined
  }
}
