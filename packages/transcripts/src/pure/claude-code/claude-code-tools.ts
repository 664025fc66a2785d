/** What the tools of Claude Code do. */
import type { ToolUse } from '../../transcript-event.ts'
import type { JsonObject } from '../json-object.ts'
import {
  agentTool,
  commandTool,
  fetchTool,
  fileTool,
  searchTool,
  todoTool,
  toolUseIn,
  type ToolTable,
} from '../tool-table.ts'

/** What a call of this tool does. */
export function claudeCodeToolUse(tool: string, input: JsonObject): ToolUse {
  return toolUseIn(tools, tool, input)
}

const command = commandTool()
const read = fileTool('read', 'file_path', 'notebook_path')
const write = fileTool('write', 'file_path', 'notebook_path')
const search = searchTool('pattern', 'query', 'path')
const agent = agentTool('prompt')

const tools: ToolTable = {
  Bash: command,
  PowerShell: command,
  Read: read,
  NotebookRead: read,
  Edit: write,
  MultiEdit: write,
  Write: write,
  NotebookEdit: write,
  Glob: search,
  Grep: search,
  LS: search,
  ToolSearch: search,
  WebSearch: search,
  WebFetch: fetchTool,
  TodoWrite: todoTool('content'),
  Agent: agent,
  Task: agent,
}
