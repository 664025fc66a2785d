/**
 * Keeps what the engine compiled of a command, in files of this device, and gives it to the next run of the same command. Compiling
 * takes a fifth of the processor time of a hook. Code is used only with the source and the engine that it was compiled from.
 */
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { cachedDataVersionTag } from 'node:v8'
import type { Script } from 'node:vm'

const dayMs = 86_400_000
/** What is in use is written again each day, because a later run may have compiled more than the first one. */
const writtenEveryMs = dayMs
const unusedAfterMs = 7 * dayMs
const digestLength = 32

/** One source file of a command: its name, and what is in it. */
export interface SourceFile {
  readonly name: string
  readonly bytes: Buffer
}

export class CompiledCode {
  readonly #home: string
  readonly #folder: string
  readonly #now: number
  readonly #scripts: { readonly source: SourceFile; readonly script: Script }[] = []
  #isOld = false

  /** `home` is the folder for the code of all commands. */
  constructor(home: string, command: string, now: number) {
    this.#home = home
    this.#folder = path.join(home, `${command}-${cachedDataVersionTag()}`)
    this.#now = now
  }

  /** The code of an earlier run, if it was compiled from this source. */
  find({ name, bytes }: SourceFile): Buffer | undefined {
    const kept = keptIn(this.#folder, name)
    const isUsable = kept !== undefined && kept.digest.equals(digestOf(bytes, kept.code))
    if (!isUsable || this.#now - kept.writtenAt > writtenEveryMs) this.#isOld = true
    return isUsable ? kept.code : undefined
  }

  /** Registers what was compiled, to be written at the end. */
  add(source: SourceFile, script: Script): void {
    if (script.cachedDataRejected === true) this.#isOld = true
    this.#scripts.push({ source, script })
  }

  /** Writes the code, unless it was written within a day, or agentm has written nothing yet: whoever only looks leaves no traces. */
  write(): void {
    if (!this.#isOld || !existsSync(path.dirname(this.#home))) return
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
      if (!isPrivate(this.#folder)) return
      for (const { source, script } of this.#scripts) {
        const code = script.createCachedData()
        replace(path.join(this.#folder, source.name), Buffer.concat([digestOf(source.bytes, code), code]))
      }
      removeUnused(this.#home, this.#now - unusedAfterMs)
    } catch {
      // A full disk or a folder without permission: the next run compiles again.
    }
  }
}

/** `$XDG_CACHE_HOME`, or `~/.cache` if that is not set, followed by `agentm/code`. */
export function codeHome(env: Readonly<Record<string, string | undefined>>): string {
  const cache = env['XDG_CACHE_HOME'] ?? ''
  return path.resolve(cache === '' ? path.join(homedir() || '/', '.cache') : cache, 'agentm', 'code')
}

/** The engine would run code of another source of the same length, and would crash on damaged code. */
function digestOf(source: Buffer, code: Buffer): Buffer {
  return createHash('sha256').update(source).update(code).digest()
}

interface Kept {
  readonly digest: Buffer
  readonly code: Buffer
  readonly writtenAt: number
}

function keptIn(folder: string, name: string): Kept | undefined {
  const file = path.join(folder, name)
  try {
    if (!isPrivate(folder)) return undefined
    const bytes = readFileSync(file)
    const writtenAt = statSync(file).mtimeMs
    return { digest: bytes.subarray(0, digestLength), code: bytes.subarray(digestLength), writtenAt }
  } catch {
    // It was never written, or cannot be read. Then the source is compiled.
    return undefined
  }
}

/** Whether nobody else may write there, because code is run. */
function isPrivate(folder: string): boolean {
  const { uid, mode } = statSync(folder)
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
}

function replace(file: string, bytes: Buffer): void {
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, bytes, { mode: 0o600 })
  renameSync(temporary, file)
}

/** Code of earlier versions, and of engines that are gone. */
function removeUnused(home: string, before: number): void {
  for (const name of readdirSync(home)) {
    const folder = path.join(home, name)
    for (const file of readdirSync(folder).map((each) => path.join(folder, each)))
      if (statSync(file).mtimeMs < before) rmSync(file, { force: true })
    if (readdirSync(folder).length === 0) rmdirSync(folder)
  }
}
