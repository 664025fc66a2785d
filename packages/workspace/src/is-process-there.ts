/** Whether a process of this machine is there. One that may not be signalled is; so is one whose id makes no sense. */
export function isProcessThere(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
