/**
 * Ends the programs that a process started if the process is killed, for example by SIGKILL. One shell per process runs in its own
 * session and reads from a pipe which groups run and which have ended. Only this process holds the pipe open. When it closes, the
 * shell asks the remaining groups to end and kills them half a second later.
 */
import type { ChildProcess } from 'node:child_process'
import type { Runtime } from '../runtime.ts'

export class ProgramGuard {
  readonly #runtime: Pick<Runtime, 'spawn'>
  readonly #groups = new Set<number>()
  #shell: ChildProcess | undefined

  constructor(runtime: Pick<Runtime, 'spawn'>) {
    this.#runtime = runtime
  }

  /** The guard of a runtime that starts programs. */
  static of(runtime: Pick<Runtime, 'spawn'>): ProgramGuard {
    const known = guards.get(runtime) ?? new ProgramGuard(runtime)
    guards.set(runtime, known)
    return known
  }

  /** Guards the program, which leads a process group, until it ends. */
  hold(program: ChildProcess): void {
    const { pid } = program
    // Process groups exist only on POSIX. On Windows, the system ends the direct children of a dead Node process, but not their
    // children.
    if (pid === undefined || process.platform === 'win32') return
    this.#groups.add(pid)
    if (this.#shell === undefined) this.#start()
    else this.#shell.stdin?.write(`+ ${pid}\n`)
    program.once('exit', () => {
      this.#groups.delete(pid)
      this.#shell?.stdin?.write(`- ${pid}\n`)
    })
  }

  #start(): void {
    const shell = this.#runtime.spawn('/bin/sh', ['-c', script, 'agentm-guard'], {
      // A directory that is never removed.
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    })
    this.#shell = shell
    // Without a shell, no program is guarded. If the shell was ended, the next program starts another.
    const gone = (): void => {
      if (this.#shell === shell) this.#shell = undefined
    }
    shell.once('error', gone)
    shell.once('exit', gone)
    shell.stdin?.on('error', () => undefined)
    // The process need not wait for the shell.
    shell.unref()
    if (shell.stdin !== null && 'unref' in shell.stdin && typeof shell.stdin.unref === 'function') shell.stdin.unref()
    for (const group of this.#groups) shell.stdin?.write(`+ ${group}\n`)
  }
}

const guards = new WeakMap<Pick<Runtime, 'spawn'>, ProgramGuard>()

const script = `
groups=
while read -r what group; do
  others=
  for each in $groups; do [ "$each" = "$group" ] || others="$others $each"; done
  groups=$others
  [ "$what" = - ] || groups="$groups $group"
done
[ -n "$groups" ] || exit 0
for each in $groups; do kill -s TERM -- "-$each"; done
sleep 0.5
for each in $groups; do kill -s KILL -- "-$each"; done
`
