/**
 * Ends what an agent started in sessions of their own, as some do with every command. Such programs are not in the agent's process
 * group, but they have its variables. Only Linux shows the variables of a process.
 */
import { readdir, readFile } from 'node:fs/promises'

export async function endStarted(stepId: string): Promise<void> {
  if (process.platform !== 'linux') return
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  await Promise.all(
    pids.map(async (pid) => {
      if (pid !== process.pid && (await variablesOf(pid)).includes(`AGENTM_STEP_ID=${stepId}`)) end(pid)
    }),
  )
}

/** Processes of other users, and those that have just ended, show none. */
async function variablesOf(pid: number): Promise<readonly string[]> {
  const text = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
  return text.split('\0')
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // It ended by itself meanwhile.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
