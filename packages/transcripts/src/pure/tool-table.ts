/** The tools of a host by name. Hosts give the same kinds of tools other names, and the fields of their inputs, too. */
import type { ToolUse } from '../transcript-event.ts'
import { firstText, objectsOf, type JsonObject } from './json-object.ts'
import { knownFields } from './known-fields.ts'
import { todoItem } from './todo-item.ts'

/** What a call with this input does, or `undefined` if the input has none of the fields. */
export type ReadsUse = (input: JsonObject) => ToolUse | undefined

/** The tools of a host by name. */
export type ToolTable = Readonly<Record<string, ReadsUse>>

/** What a call of a tool does. */
export function toolUseIn(table: ToolTable, tool: string, input: JsonObject): ToolUse {
  const read = Object.hasOwn(table, tool) ? table[tool] : undefined
  return read?.(input) ?? { does: 'other' }
}

/** A tool that runs the text in `command`, in the directory that the first of these fields names. */
export function commandTool(...directories: readonly string[]): ReadsUse {
  return (input) => {
    const command = firstText(input, 'command')
    const cwd = firstText(input, ...directories)
    return command === undefined ? undefined : { does: 'command', command, ...knownFields({ cwd }) }
  }
}

/** A tool that reads or writes the file that the first of these fields names. */
export function fileTool(does: 'read' | 'write', ...fields: readonly string[]): ReadsUse {
  return textTool(fields, (file) => ({ does, files: [file] }))
}

/** A tool that searches for what the first of these fields says. */
export function searchTool(...fields: readonly string[]): ReadsUse {
  return textTool(fields, (query) => ({ does: 'search', query }))
}

/** A tool that reads the page at `url`. */
export const fetchTool: ReadsUse = textTool(['url'], (url) => ({ does: 'fetch', url }))

/** A tool that gives another agent the task in the first of these fields. */
export function agentTool(...fields: readonly string[]): ReadsUse {
  return textTool(fields, (prompt) => ({ does: 'agent', prompt }))
}

/** A tool that writes the list in `todos`, whose items have their text in this field. */
export function todoTool(field: string): ReadsUse {
  return (input) => ({
    does: 'todo',
    items: objectsOf(input['todos']).map((item) => todoItem(firstText(item, field), item['status'])),
  })
}

function textTool(fields: readonly string[], make: (text: string) => ToolUse): ReadsUse {
  return (input) => {
    const text = firstText(input, ...fields)
    return text === undefined ? undefined : make(text)
  }
}
