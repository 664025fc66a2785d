/** What the tools of Gemini CLI do. */
import type { ToolUse } from '../../transcript-event.ts'
import { firstText, listOf, type JsonObject } from '../json-object.ts'
import {
  agentTool,
  commandTool,
  fileTool,
  searchTool,
  todoTool,
  toolUseIn,
  type ReadsUse,
  type ToolTable,
} from '../tool-table.ts'

/** What a call of this tool does. */
export function geminiToolUse(tool: string, input: JsonObject): ToolUse {
  return toolUseIn(tools, tool, input)
}

const read: ReadsUse = (input) => {
  const named = [...listOf(input['include']), ...listOf(input['paths'])].filter((file) => typeof file === 'string')
  const file = firstText(input, 'file_path', 'absolute_path', 'path')
  const files = file === undefined ? named : [file]
  return files.length === 0 ? undefined : { does: 'read', files }
}

const write = fileTool('write', 'file_path')
const search = searchTool('pattern', 'query', 'dir_path', 'path')
const agent = agentTool('prompt', 'objective', 'task', 'query')

/** The address may stand only in the text of the prompt. */
const fetch: ReadsUse = (input) => {
  const url = firstText(input, 'url') ?? /https?:\/\/[^\s"'<>)]+/.exec(firstText(input, 'prompt') ?? '')?.[0]
  return url === undefined ? undefined : { does: 'fetch', url }
}

const tools: ToolTable = {
  run_shell_command: commandTool('dir_path', 'directory'),
  read_file: read,
  read_many_files: read,
  write_file: write,
  replace: write,
  edit: write,
  glob: search,
  grep_search: search,
  search_file_content: search,
  list_directory: search,
  google_web_search: search,
  web_fetch: fetch,
  write_todos: todoTool('description'),
  invoke_agent: agent,
  codebase_investigator: agent,
  delegate_to_agent: agent,
}
