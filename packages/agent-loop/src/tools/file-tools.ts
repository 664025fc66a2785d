/**
 * Finds, reads, writes and edits files of one directory, and none outside of it.
 */
import { z } from 'zod'
import { defineTool, type Tool } from '../loop/tool.ts'
import { ToolError } from '../loop/tool-error.ts'
import { beforehand } from './beforehand.ts'
import { confinedPath } from './confined-path.ts'
import { closedToWriters, defaultMaxBytes, type FileToolsOptions, place } from './files/file-tools-options.ts'
import { globTool } from './files/glob-tool.ts'
import { listTool } from './files/list-tool.ts'
import { readText, refuseLarge } from './files/read-text.ts'
import { replaceFile } from './files/replace-file.ts'
import { searchTool } from './files/search-tool.ts'
import { replaceOnce } from './pure/replace-once.ts'

/**
 * Tools that list, find, search, read, write and edit files of one directory, and none outside of it.
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
  return [
    listTool(options),
    globTool(options),
    searchTool(options),
    readTool(options),
    writeTool(options),
    editTool(options),
  ]
}

function readTool({ root, maxBytes = defaultMaxBytes }: FileToolsOptions): Tool {
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

function writeTool({ root, maxBytes = defaultMaxBytes, needsApproval = false, runtime }: FileToolsOptions): Tool {
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

function editTool({ root, maxBytes = defaultMaxBytes, needsApproval = false, runtime }: FileToolsOptions): Tool {
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
