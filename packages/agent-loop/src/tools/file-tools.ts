/**
 * Finds, reads, writes and edits files of one directory, and none outside of it.
 */
import type { Tool } from '../loop/tool.ts'
import { editTool } from './files/edit-tool.ts'
import type { FileToolsOptions } from './files/file-tools-options.ts'
import { globTool } from './files/glob-tool.ts'
import { listTool } from './files/list-tool.ts'
import { readTool } from './files/read-tool.ts'
import { searchTool } from './files/search-tool.ts'
import { writeTool } from './files/write-tool.ts'

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
