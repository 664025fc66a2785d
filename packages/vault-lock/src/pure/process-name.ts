/**
 * How a lock records which process holds it without any file inside it. The process id and machine are encoded in the access time of the
 * lock directory, as a date between 1990 and 1999 that no clock gives today. The part of the heartbeat below a millisecond encodes the
 * start of the process, which tells apart two processes that had the same id.
 */
export interface ProcessName {
  /** At least 1 and below 2 ** 22, as on Linux. */
  readonly pid: number
  /** A hash of this boot of the machine and of the process table that contains `pid`. Below 2 ** 26. */
  readonly table: number
  /** Derived from the moment the process was started. Below 1000. */
  readonly start: number
}

/** The two times to set on the lock directory, in seconds since the epoch. */
export interface Times {
  readonly accessed: number
  readonly modified: number
}

const pids = 2 ** 22
const tables = 2 ** 26
const firstUs = Date.UTC(1990, 0, 1) * 1000
const lastUs = firstUs + pids * tables - 1
/** Half a unit is added, so that the value is the same whether the disk truncates or rounds times to microseconds. */
const half = 0.5

/** A heartbeat at `wallMs` that also records the process, if `name` is given. */
export function heartbeat(wallMs: number, name: ProcessName | undefined): Times {
  if (name === undefined) return { accessed: wallMs / 1000, modified: wallMs / 1000 }
  return {
    accessed: (firstUs + name.table * pids + name.pid + half) / 1e6,
    modified: (Math.floor(wallMs) * 1000 + name.start + half) / 1e6,
  }
}

/** The process that set these times; `undefined` if they record none. */
export function processOf(stats: { readonly atimeNs: bigint; readonly mtimeNs: bigint }): ProcessName | undefined {
  const accessedUs = Number(stats.atimeNs / 1000n)
  const modifiedUs = Number(stats.mtimeNs / 1000n)
  if (accessedUs < firstUs || accessedUs > lastUs) return undefined
  // If the clock of this machine is set to the 1990s, its real times look like recorded names.
  if (modifiedUs <= lastUs) return undefined
  const number = accessedUs - firstUs
  const pid = number % pids
  return pid === 0 ? undefined : { pid, table: Math.floor(number / pids), start: modifiedUs % 1000 }
}

/** The time to set on an announcement, in milliseconds: an even number while its process is making a directory, an odd number otherwise. */
export function announcedMs(wallMs: number, isUp: boolean): number {
  return 2 * Math.floor(wallMs / 2) + (isUp ? 0 : 1)
}

export function isRaised(stats: { readonly atimeNs: bigint; readonly mtimeNs: bigint }): boolean {
  return processOf(stats) !== undefined && (stats.mtimeNs / 1_000_000n) % 2n === 0n
}

export function isSameProcess(a: ProcessName | undefined, b: ProcessName | undefined): boolean {
  return a?.pid === b?.pid && a?.table === b?.table && a?.start === b?.start
}
