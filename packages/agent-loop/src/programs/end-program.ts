/** Ends a program with all it has started. */
import type { ChildProcess } from 'node:child_process'
import path from 'node:path'
import type { Runtime } from '../runtime.ts'

/** Windows knows no request to end that every program hears: there it ends at once. */
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
    // It ended by itself in between.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** From the leaves on: once the program is gone, nothing says what it has started. */
function endTree(program: ChildProcess, pid: number, runtime: Pick<Runtime, 'spawn'>): void {
  // Windows' own, whatever the PATH says.
  const tool = path.join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe')
  const killer = runtime.spawn(tool, ['/pid', `${pid}`, '/t', '/f'], { stdio: 'ignore', windowsHide: true })
  const last = (): void => {
    program.kill('SIGKILL')
  }
  killer.once('error', last)
  killer.once('exit', last)
}
