/** A directory of its own for a test: a vault, a lock root, and processes that use both. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, utimesSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filePath, lockDirectory, type FilePath } from '@agentm/vault-lock'
import { onTestFinished } from 'vitest'

export interface TestWorld {
  readonly home: FilePath
  readonly root: FilePath
  readonly lockRoot: FilePath
  /** The lock directory of `root`. */
  readonly lock: FilePath
  readonly at: (name: string) => FilePath
  /** Starts `children/<name>.mjs`; its messages come from `next`. */
  readonly start: (name: string, ...args: string[]) => Child
  /** The same in another environment. */
  readonly startIn: (surroundings: Surroundings, name: string, ...args: string[]) => Child
}

export interface Surroundings {
  readonly env?: Readonly<Record<string, string>>
  /** Runs the program that follows it, as `env` or `unshare` do. */
  readonly through?: readonly string[]
  readonly uid?: number
}

export interface Child {
  readonly process: ChildProcess
  next(): Promise<unknown>
  exit(): Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

export async function setup(): Promise<TestWorld> {
  const home = filePath(realpathSync(mkdtempSync(join(tmpdir(), 'vault-lock-'))))
  // Who has just given up may still put a mark beside the lock: this `rm` begins anew then, the synchronous one does not.
  onTestFinished(() => rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }))
  const root = filePath(join(home, 'vault'))
  mkdirSync(root)
  const lockRoot = filePath(join(home, 'cache', 'agentm', 'locks'))
  const lock = await lockDirectory(root, lockRoot)
  return {
    home,
    root,
    lockRoot,
    lock,
    at: (name) => filePath(join(root, name)),
    start: (name, ...args) => startChild(home, { name, args }),
    startIn: (surroundings, name, ...args) => startChild(home, { name, args, ...surroundings }),
  }
}

/** What is in a directory, without what its writers keep there about their locks. */
export function namesIn(directory: string): string[] {
  return readdirSync(directory).filter((name) => name !== '.agentm-locks')
}

/** What a process that died `ageMs` ago has left. */
export function plantLock(lock: string, ageMs: number): void {
  mkdirSync(lock, { recursive: true })
  age(lock, ageMs)
}

export function age(path: string, ageMs: number): void {
  const seconds = (Date.now() - ageMs) / 1000
  utimesSync(path, seconds, seconds)
}

interface Starting extends Surroundings {
  readonly name: string
  readonly args: readonly string[]
}

function startChild(home: string, { name, args, env = {}, through = [], uid }: Starting): Child {
  const script = join(dirname(fileURLToPath(import.meta.url)), 'children', `${name}.mjs`)
  const [program = '', ...rest] = [...through, process.execPath, script, ...args]
  const child = spawn(program, rest, {
    env: { ...process.env, HOME: home, XDG_CACHE_HOME: join(home, 'cache'), ...env },
    // What a child says to a terminal it says on purpose, dying; the test looks at how it died.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  const messages: unknown[] = []
  const waiting: ((message: unknown) => void)[] = []
  child.on('message', (message) => {
    const next = waiting.shift()
    if (next === undefined) messages.push(message)
    else next(message)
  })
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await exited
  })
  return {
    process: child,
    next: () =>
      messages.length > 0
        ? Promise.resolve(messages.shift())
        : new Promise((resolve, reject) => {
            waiting.push(resolve)
            void exited.then(([code, signal]) => reject(new Error(`${name} ended (${code ?? signal}) without a word`)))
          }),
    async exit() {
      const [code, signal] = await exited
      return { code, signal }
    },
  }
}
