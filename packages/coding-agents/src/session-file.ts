/**
 * What the file of a session says was used. Codex and Gemini CLI write it there after each reply, and print it only when they end;
 * Claude Code counts what its file has when it begins.
 */
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { lineReader } from './line-reader.ts'
import type { ClientUsage } from './pure/client-event.ts'
import { type Fields, fieldsOf } from './pure/fields.ts'
import { type ReadEntry, sumOfUsages } from './pure/session-entries.ts'

/** Where an agent keeps the files of its sessions, and what they say. */
export interface SessionFiles {
  /** The variable that names its directory, and what stands there instead in the home directory. */
  readonly home: readonly [variable: string, otherwise: string]
  /** The directories below that one; `*` stands for all. */
  readonly below: readonly string[]
  /** The end of the name of the file. */
  readonly nameOf: (session: string) => string
  /** A word of the lines that matter. */
  readonly mark: string
  readonly entry: ReadEntry
  /** Whether it is written after each reply, and not only when the agent ends. */
  readonly isLive: boolean
}

export class SessionFile {
  readonly #files: SessionFiles | undefined
  readonly #environment: Readonly<Record<string, string | undefined>>
  readonly #entries = new Map<string, ClientUsage>()
  readonly #lines = lineReader((line) => this.#take(line))
  #file: string | undefined
  #read = 0

  constructor(files: SessionFiles | undefined, environment: Readonly<Record<string, string | undefined>>) {
    this.#files = files
    this.#environment = environment
  }

  /** All that the session has used, runs before this one included; `undefined` where there is no such file. */
  async used(session: string): Promise<ClientUsage | undefined> {
    if (session === '') return undefined
    this.#file ??= await this.#find(session)
    if (this.#file === undefined) return undefined
    await this.#readOn(this.#file)
    return sumOfUsages(this.#entries.values())
  }

  async #readOn(file: string): Promise<void> {
    try {
      for await (const chunk of createReadStream(file, { start: this.#read })) {
        this.#read += chunk.length
        this.#lines.add(chunk)
      }
    } catch (error) {
      // The agent, or a person, has removed it since it was found.
      if (!isAbsent(error)) throw error
    }
  }

  async #find(session: string): Promise<string | undefined> {
    if (this.#files === undefined) return undefined
    const { home, below, nameOf } = this.#files
    const [variable, otherwise] = home
    const named = this.#environment[variable] ?? ''
    const root = named === '' ? path.join(this.#environment['HOME'] ?? homedir(), otherwise) : named
    const files = await filesBelow(root, below)
    return files.find((file) => file.endsWith(nameOf(session)))
  }

  #take(line: string): void {
    if (this.#files === undefined || !line.includes(this.#files.mark)) return
    const entry = this.#files.entry(parsed(line))
    if (entry !== undefined) this.#entries.set(...entry)
  }
}

async function filesBelow(directory: string, [level, ...deeper]: readonly string[]): Promise<readonly string[]> {
  if (level !== undefined && level !== '*') return filesBelow(path.join(directory, level), deeper)
  const names = (await namesIn(directory)).map((name) => path.join(directory, name))
  return level === undefined ? names : (await Promise.all(names.map((name) => filesBelow(name, deeper)))).flat()
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

/** A line that is still being written, or that a kill has cut, says nothing. */
function parsed(line: string): Fields {
  try {
    return fieldsOf(JSON.parse(line))
  } catch {
    return {}
  }
}
