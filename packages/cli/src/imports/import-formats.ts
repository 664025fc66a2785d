/** The formats that can be imported, by name. A reader is loaded when it is needed. */
import type { Read } from './import-entry.ts'
import type { ImportSource } from './import-source.ts'

export interface ImportFormat {
  /** What people call it. */
  readonly title: string
  readonly reader: () => Promise<(source: ImportSource) => AsyncGenerator<Read>>
}

export const importFormats = {
  'server-memory': {
    title: 'memory of @modelcontextprotocol/server-memory',
    reader: async () => (await import('./read-server-memory.ts')).readServerMemory,
  },
  'basic-memory': {
    title: 'notes of basic-memory',
    reader: async () => (await import('./read-markdown.ts')).readBasicMemory,
  },
  mem0: { title: 'memories of mem0', reader: async () => (await import('./read-mem0.ts')).readMem0 },
  openmemory: {
    title: 'a backup of OpenMemory',
    reader: async () => (await import('./read-open-memory.ts')).readOpenMemory,
  },
  'claude-mem': {
    title: 'the database of claude-mem',
    reader: async () => (await import('./read-claude-mem.ts')).readClaudeMem,
  },
  rules: {
    title: 'rules for agents: CLAUDE.md, AGENTS.md, GEMINI.md, Cursor',
    reader: async () => (await import('./read-rules.ts')).readRules,
  },
  markdown: {
    title: 'Markdown files, such as an Obsidian vault',
    reader: async () => (await import('./read-markdown.ts')).readMarkdown,
  },
  chatgpt: { title: 'an export of ChatGPT', reader: async () => (await import('./read-chatgpt.ts')).readChatgpt },
  claude: { title: 'an export of Claude', reader: async () => (await import('./read-claude.ts')).readClaude },
} as const satisfies Readonly<Record<string, ImportFormat>>

export type FormatName = keyof typeof importFormats

export function isFormatName(name: string): name is FormatName {
  return Object.hasOwn(importFormats, name)
}
