/** Waits for what a lost worker left running. Its guard ends the process group, which takes up to a second. */
import type { Runtime } from '@agentm/agent-loop'

export async function leftBehindEnded(
  group: number | undefined,
  runtime: Pick<Runtime, 'sleep'>,
  signal: AbortSignal,
): Promise<boolean> {
  for (let round = 0; round < rounds; round++) {
    if (group === undefined || !isRunning(group)) return true
    await runtime.sleep(pauseMs, signal).catch(() => undefined)
    if (signal.aborted) return false
  }
  return false
}

const rounds = 100
const pauseMs = 100

function isRunning(group: number): boolean {
  if (process.platform === 'win32') return false
  try {
    process.kill(-group, 0)
    return true
  } catch {
    return false
  }
}
