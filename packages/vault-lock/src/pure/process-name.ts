/**
 * How a lock says which process holds it, without anything inside it: the time of its last access is a number no clock gives,
 * between 1990 and 1999, and the part of its heartbeat below a millisecond tells processes apart that had the same number.
 */
export interface ProcessName {
  /** At least 1, below 2 ** 22, as on Linux. */
  readonly pid: number
  /** Below 2 ** 26. Stands for the machine, since it was started, and for the process table in which `pid` is looked up. */
  readonly table: number
  /** Below 1000, from the moment the process was started. */
  readonly start: number
}

/** What a disk is told, in seconds since the epoch. */
export interface Times {
  readonly accessed: number
  readonly modified: number
}

const pids = 2 ** 22
const tables = 2 ** 26
const firstUs = Date.UTC(1990, 0, 1) * 1000
const lastUs = firstUs + pids * tables - 1
/** Whether a time is cut or rounded to microseconds, this half stays where it is. */
const half = 0.5

/** A heartbeat at `wallMs`, by this process where it has a name. */
export function heartbeat(wallMs: number, name: ProcessName | undefined): Times {
  if (name === undefined) return { accessed: wallMs / 1000, modified: wallMs / 1000 }
  return {
    accessed: (firstUs + name.table * pids + name.pid + half) / 1e6,
    modified: (Math.floor(wallMs) * 1000 + name.start + half) / 1e6,
  }
}

/** The process that set these times, if it is recorded. */
export function processOf(stats: { readonly atimeNs: bigint; readonly mtimeNs: bigint }): ProcessName | undefined {
  const accessedUs = Number(stats.atimeNs / 1000n)
  const modifiedUs = Number(stats.mtimeNs / 1000n)
  if (accessedUs < firstUs || accessedUs > lastUs) return undefined
  // A machine that believes it is 1995.
  if (modifiedUs <= lastUs) return undefined
  const number = accessedUs - firstUs
  const pid = number % pids
  return pid === 0 ? undefined : { pid, table: Math.floor(number / pids), start: modifiedUs % 1000 }
}

/** When an announcement was changed, to the millisecond: even while its process is making something, odd otherwise. */
export function announcedMs(wallMs: number, isUp: boolean): number {
  return 2 * Math.floor(wallMs / 2) + (isUp ? 0 : 1)
}

export function isRaised(stats: { readonly atimeNs: bigint; readonly mtimeNs: bigint }): boolean {
  return processOf(stats) !== undefined && (stats.mtimeNs / 1_000_000n) % 2n === 0n
}

export function isSameProcess(a: ProcessName | undefined, b: ProcessName | undefined): boolean {
  return a?.pid === b?.pid && a?.table === b?.table && a?.start === b?.start
}
