/** What the tools of opencode do. */
import type { ToolUse } from '../../transcript-event.ts'
import { firstText, type JsonObject } from '../json-object.ts'
import { patchFiles } from '../patch-files.ts'
import {
  agentTool,
  commandTool,
  fetchTool,
  fileTool,
  searchTool,
  todoTool,
  toolUseIn,
  type ReadsUse,
  type ToolTable,
} from '../tool-table.ts'

/** What a call of this tool does. */
export function opencodeToolUse(tool: string, input: JsonObject): ToolUse {
  return toolUseIn(tools, tool, input)
}

const command = commandTool('workdir')
const write = fileTool('write', 'filePath', 'path')
const search = searchTool('pattern', 'query', 'path')

const patch: ReadsUse = (input) => {
  const files = patchFiles(firstText(input, 'patchText', 'patch') ?? '')
  return files.length === 0 ? undefined : { does: 'write', files }
}

const tools: ToolTable = {
  bash: command,
  shell: command,
  read: fileTool('read', 'filePath', 'path'),
  write,
  edit: write,
  multiedit: write,
  patch,
  apply_patch: patch,
  glob: search,
  grep: search,
  list: search,
  codesearch: search,
  websearch: search,
  webfetch: fetchTool,
  todowrite: todoTool('content'),
  task: agentTool('prompt'),
}
