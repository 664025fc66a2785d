/**
 * Lists, reads, writes and edits files of one directory, and none outside of it. A file is replaced as a whole, so that a reader
 * sees either the old or the new one.
 */
import type { StoreRuntime } from '@agentm/nodes'
import { constants } from 'node:fs'
import { lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { defineTool, type Tool } from '../loop/tool.ts'
import { ToolError } from '../loop/tool-error.ts'
import { beforehand } from './beforehand.ts'
import { confinedPath, type Confinement } from './confined-path.ts'
import { replaceOnce } from './pure/replace-once.ts'

/** Options of `fileTools`. */
export interface FileToolsOptions {
  /** The working folder. */
  readonly root: string
  /** Largest file that is read or written (default: 1 MiB). */
  readonly maxBytes?: number
  readonly needsApproval?: boolean
  readonly runtime: Pick<StoreRuntime, 'newId'>
}

/** Other programs execute files in these directories: a git hook could run a program that the policy forbids. */
const closedToWriters = ['.git', '.hg', '.svn']

const place = z.string().min(1).describe('Below the working folder, with /.')

/**
 * Tools that list, read, write and edit files of one directory, and none outside of it.
 *
 * @example
 * ```ts
 * import { systemRuntime } from '@agentm/agent-loop'
 * import { fileTools } from '@agentm/agent-loop/tools'
 *
 * const tools = fileTools({ root: '/srv/checkouts/acme', runtime: systemRuntime })
 * console.log(tools.some(({ name }) => name === 'files_read')) // true
 * ```
 */
export function fileTools(options: FileToolsOptions): readonly Tool[] {
  return [listTool(options), readTool(options), writeTool(options), editTool(options)]
}

function listTool({ root }: FileToolsOptions): Tool {
  return defineTool({
    name: 'files_list',
    description: 'Lists a directory of the working folder. Directories end with /.',
    input: z.object({ directory: place.default('.') }),
    nature: 'pure',
    async run({ directory }) {
      const at = await confinedPath({ root }, directory)
      const entries = await readdir(at, { withFileTypes: true })
      const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).toSorted()
      const shown = names.slice(0, mostEntries)
      const rest = names.length - shown.length
      return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n') || 'it is empty'
    },
  })
}

const mostEntries = 2000

function readTool({ root, maxBytes = 1_048_576 }: FileToolsOptions): Tool {
  return defineTool({
    name: 'files_read',
    description: 'Reads a text file of the working folder, or some lines of it.',
    input: z.object({
      path: place,
      from: z.number().int().min(1).default(1).describe('The first line, counted from 1.'),
      lines: z.number().int().min(1).optional().describe('How many lines (default: to the end).'),
    }),
    nature: 'pure',
    async run({ path: name, from, lines }) {
      const text = await readText(await confinedPath({ root }, name), { name, maxBytes })
      if (from === 1 && lines === undefined) return text
      return text
        .split('\n')
        .slice(from - 1, lines === undefined ? undefined : from - 1 + lines)
        .join('\n')
    },
  })
}

function writeTool({ root, maxBytes = 1_048_576, needsApproval = false, runtime }: FileToolsOptions): Tool {
  return defineTool({
    name: 'files_write',
    description: 'Writes a whole text file of the working folder; directories on the way are made.',
    input: z.object({ path: place, text: z.string() }),
    nature: 'idempotent',
    needsApproval,
    async run({ path: name, text }) {
      const at = await confinedPath({ root, closed: closedToWriters }, name)
      refuseLarge(Buffer.byteLength(text), { name, maxBytes })
      await replaceFile({ root, closed: closedToWriters }, { name, at, text, runtime })
      return `wrote ${Buffer.byteLength(text)} bytes to ${name}`
    },
  })
}

function editTool({ root, maxBytes = 1_048_576, needsApproval = false, runtime }: FileToolsOptions): Tool {
  const editInput = z.object({
    path: place,
    find: z.string().min(1).describe('The text to replace, with enough around it to be there once.'),
    replace: z.string(),
  })
  return defineTool({
    name: 'files_edit',
    description: 'Replaces one passage of a text file of the working folder.',
    input: editInput,
    nature: 'effectful',
    needsApproval,
    async run({ path: name, find, replace }) {
      const confinement = { root, closed: closedToWriters }
      const at = await beforehand(async () => confinedPath(confinement, name))
      const before = await beforehand(async () => readText(at, { name, maxBytes }))
      const after = replaceOnce(before, { find, replace })
      if ('times' in after)
        throw new ToolError('validation', `${name} holds that text ${after.times} times; name a text it holds once`)
      await replaceFile(confinement, { name, at, text: after.text, runtime })
      return `edited ${name}`
    },
    async verify({ path: name, find, replace }) {
      const text = await readText(await confinedPath({ root }, name), { name, maxBytes })
      if (!text.includes(find) && replace !== '' && text.includes(replace))
        return { happened: true, text: `edited ${name}` }
      return { happened: text.includes(find) && !(replace !== '' && text.includes(replace)) ? false : 'unknown' }
    },
  })
}

interface Reading {
  readonly name: string
  readonly maxBytes: number
}

/** Refuses a link that was put there meanwhile, and a pipe that never ends. */
async function readText(at: string, reading: Reading): Promise<string> {
  const file = await open(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const facts = await file.stat()
    if (!facts.isFile()) throw new ToolError('validation', `${reading.name} is no file`)
    refuseLarge(facts.size, reading)
    const bytes = await file.readFile()
    if (bytes.includes(0)) throw new ToolError('validation', `${reading.name} is no text`)
    return bytes.toString('utf8')
  } finally {
    await file.close()
  }
}

function refuseLarge(bytes: number, { name, maxBytes }: Reading): void {
  if (bytes > maxBytes)
    throw new ToolError('validation', `${name}: ${bytes} bytes are more than the ${maxBytes} allowed`)
}

interface Replacing {
  readonly name: string
  readonly at: string
  readonly text: string
  readonly runtime: Pick<StoreRuntime, 'newId'>
}

async function replaceFile(confinement: Confinement, { name, at, text, runtime }: Replacing): Promise<void> {
  await mkdir(path.dirname(at), { recursive: true })
  const mode = await modeOf(at, name)
  // Checked again, because a directory on the path may have become a link meanwhile.
  if ((await confinedPath(confinement, name)) !== at) throw new ToolError('permission', `${name} was moved meanwhile`)
  const draft = path.join(path.dirname(at), `.${path.basename(at)}.${runtime.newId()}`)
  const file = await open(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, mode)
  try {
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, at)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** A replaced script stays executable. */
async function modeOf(at: string, name: string): Promise<number> {
  try {
    const facts = await lstat(at)
    if (!facts.isFile()) throw new ToolError('validation', `${name} is no file`)
    return facts.mode & 0o777
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0o644
    throw error
  }
}
