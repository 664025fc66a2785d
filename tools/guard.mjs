// @ts-check
/**
 * Ends a program of somebody else's when we die, also by SIGKILL: a shell of its own session reads from a pipe that only we hold open,
 * and when that closes it sends the signal and removes what was the program's. Where nobody has a POSIX shell, nothing is guarded.
 */
import { spawn } from 'node:child_process'

const script = 'read -r _ || { kill -s "$1" "$2"; [ -z "$3" ] || { sleep 1; rm -rf "$3"; }; } 2>/dev/null'

/**
 * Until the program ends by itself.
 * @param {import('node:child_process').ChildProcess} child
 * @param {{ readonly signal?: 'TERM' | 'QUIT' | 'KILL', readonly scratch?: string }} [how] a directory that goes with it
 */
export function guard(child, { signal = 'TERM', scratch = '' } = {}) {
  if (process.platform === 'win32' || child.pid === undefined) return
  const args = ['-c', script, 'guard', signal, String(child.pid), scratch]
  const shell = spawn('/bin/sh', args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  shell.unref()
  if ('unref' in shell.stdin && typeof shell.stdin.unref === 'function') shell.stdin.unref()
  // It may be gone already.
  shell.stdin.on('error', () => undefined)
  child.once('exit', () => shell.stdin.end('gone\n'))
}
