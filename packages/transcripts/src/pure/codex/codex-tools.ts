/** What the tools of Codex do. The input of a function is a string of JSON, that of a custom tool is free text. */
import type { ToolUse } from '../../transcript-event.ts'
import {
  firstText,
  listOf,
  objectOf,
  objectsOf,
  parseObject,
  textOf,
  type JsonObject,
  type JsonValue,
} from '../json-object.ts'
import { knownFields } from '../known-fields.ts'
import { patchFiles } from '../patch-files.ts'
import { todoItem } from '../todo-item.ts'
import { fetchTool, fileTool, searchTool, toolUseIn, type ReadsUse, type ToolTable } from '../tool-table.ts'

/** The arguments of a function call, if they are an object. */
export function codexArguments(given: JsonValue | undefined): JsonObject {
  return objectOf(given) ?? (typeof given === 'string' ? parseObject(given) : undefined) ?? {}
}

/** What a call of this tool does. `input` is what the record holds, `text` a custom tool's free text. */
export function codexToolUse(tool: string, input: JsonObject, text?: string): ToolUse {
  if (commands.has(tool)) return commandUse(input) ?? { does: 'other' }
  if (tool === 'apply_patch') return write(text ?? firstText(input, 'input', 'patch') ?? '') ?? { does: 'other' }
  return toolUseIn(tools, tool.endsWith('.spawn_agent') ? 'spawn_agent' : tool, input)
}

/** Tools that run a command, whose answer has its exit code. */
export function runsCommand(tool: string | undefined): boolean {
  return tool !== undefined && (commands.has(tool) || tool === 'write_stdin')
}

const commands = new Set(['shell', 'container.exec', 'shell_command', 'exec_command', 'local_shell', 'unified_exec'])

function commandUse(input: JsonObject): ToolUse | undefined {
  const command = commandText(input['command'] ?? input['cmd'])
  if (command === undefined) return undefined
  const isPatch = command.includes('*** Begin Patch') && /(?:^|&&|;|\n)[ \t]*(?:apply_patch|applypatch)\b/.test(command)
  const files = isPatch ? write(command) : undefined
  const cwd = firstText(input, 'workdir', 'working_directory', 'cwd')
  return files ?? { does: 'command', command, ...knownFields({ cwd }) }
}

/** A command is a text, or a list of words. Of `bash -lc SCRIPT`, only the script is kept. */
function commandText(command: JsonValue | undefined): string | undefined {
  const words = listOf(command).filter((word) => typeof word === 'string')
  if (words.length === 0) return textOf(command)
  const [shell = '', flag = '', script] = words
  const isScript = /(?:^|[\\/])(?:ba|z|da|k)?sh(?:\.exe)?$|(?:^|[\\/])(?:powershell|pwsh|cmd)(?:\.exe)?$/i.test(shell)
  return isScript && /^[-/]\w+$/.test(flag) && script !== undefined ? (words.at(-1) ?? script) : words.join(' ')
}

function write(patch: string): ToolUse | undefined {
  const files = patchFiles(patch)
  return files.length === 0 ? undefined : { does: 'write', files }
}

const plan: ReadsUse = (input) => ({
  does: 'todo',
  items: objectsOf(input['plan']).map((item) => todoItem(firstText(item, 'step'), item['status'])),
})

const file = fileTool('read', 'path', 'file_path')
const search = searchTool('pattern', 'query', 'dir_path')
const searchWeb = searchTool('query', 'pattern')

const agent: ReadsUse = (input) => {
  const items = objectsOf(input['items']).flatMap((item) => firstText(item, 'text') ?? [])
  const prompt = firstText(input, 'message', 'prompt') ?? textOf(items.join('\n'))
  return prompt === undefined ? undefined : { does: 'agent', prompt }
}

const tools: ToolTable = {
  update_plan: plan,
  view_image: file,
  read_file: file,
  list_dir: search,
  grep_files: search,
  tool_search: search,
  web_search: (input) => fetchTool(input) ?? searchWeb(input),
  spawn_agent: agent,
}
