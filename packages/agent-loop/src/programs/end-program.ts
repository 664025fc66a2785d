/** Ends a program and everything it has started. */
import type { ChildProcess } from 'node:child_process'
import path from 'node:path'
import type { Runtime } from '../runtime.ts'

/** Windows has no signal that asks every program to end, so there the program is killed at once. */
export function endProgram(
  program: ChildProcess,
  signal: 'SIGTERM' | 'SIGKILL',
  runtime: Pick<Runtime, 'spawn'>,
): void {
  const { pid } = program
  if (pid === undefined) return
  if (process.platform === 'win32') return endTree(program, pid, runtime)
  try {
    process.kill(-pid, signal)
  } catch (error) {
    // The program ended by itself meanwhile.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Children are ended before their parent, because they cannot be found once the parent is gone. */
function endTree(program: ChildProcess, pid: number, runtime: Pick<Runtime, 'spawn'>): void {
  // The full path of Windows' own tool, so that the PATH cannot replace it.
  const tool = path.join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe')
  const killer = runtime.spawn(tool, ['/pid', `${pid}`, '/t', '/f'], { stdio: 'ignore', windowsHide: true })
  const last = (): void => {
    program.kill('SIGKILL')
  }
  killer.once('error', last)
  killer.once('exit', last)
}
