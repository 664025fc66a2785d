/**
 * Ends the programs of a process that dies without ending them, as by SIGKILL. One shell for each process, in a session of its
 * own, reads from a pipe that only this process holds open: which groups run, and which have ended. When the pipe closes, the rest
 * is asked to end, and half a second later killed.
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

  /** Of whoever starts programs in this way. */
  static of(runtime: Pick<Runtime, 'spawn'>): ProgramGuard {
    const known = guards.get(runtime) ?? new ProgramGuard(runtime)
    guards.set(runtime, known)
    return known
  }

  /** From here on until the program, which leads its group, has ended. */
  hold(program: ChildProcess): void {
    const { pid } = program
    // Groups are a thing of POSIX. On Windows the system ends what a dead process of Node has started, but not what that has started.
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
    // Without a shell no program is guarded. If the guard was ended, the next program starts another.
    const gone = (): void => {
      if (this.#shell === shell) this.#shell = undefined
    }
    shell.once('error', gone)
    shell.once('exit', gone)
    shell.stdin?.on('error', () => undefined)
    // Nobody waits for it.
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
