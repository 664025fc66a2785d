// @ts-check
/** Loaded into a process with `--import`: when it ends, it writes its processor time and its peak memory to file descriptor 3. */
import { readFileSync, writeSync } from 'node:fs'

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  const usage = { cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMb: (peakOfProgram() ?? maxRSS) / 1024 }
  writeSync(3, JSON.stringify(usage))
})

/** In KiB. On Linux `maxRSS` includes the memory that the parent had when it started this process. */
function peakOfProgram() {
  if (process.platform !== 'linux') return undefined
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return kib === undefined ? undefined : Number(kib)
}
