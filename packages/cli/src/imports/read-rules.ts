/** Reads rules for coding agents: CLAUDE.md, AGENTS.md, GEMINI.md and rules of Cursor, in a file or below a folder. */
import path from 'node:path'
import { readFrontmatter } from '@agentm/memory/notes'
import { filesBelow } from './files-below.ts'
import type { Read } from './import-entry.ts'
import type { ImportSource } from './import-source.ts'
import { ruleEntries } from './pure/rule-entries.ts'
import { wholeText } from './whole-file.ts'

export async function* readRules(source: ImportSource): AsyncGenerator<Read> {
  if (!source.isFolder) {
    yield* readFile(source.path, { name: source.name, path: path.basename(source.path) })
    return
  }
  const { files, links } = await filesBelow(source.path, {
    isWanted: isRuleFile,
    hidden: ['.cursor', '.claude', '.github'],
  })
  // AGENTS.md is often a link to CLAUDE.md.
  for (const link of links) yield { place: link, why: 'it is a link; name its target to import it' }
  for (const file of files)
    yield* readFile(path.join(source.path, file), { name: `${source.name}/${file}`, path: file })
}

const names = new Set([
  'claude.md',
  'claude.local.md',
  'agents.md',
  'gemini.md',
  '.cursorrules',
  'copilot-instructions.md',
])

/** Whether a file has rules for agents, by its path. */
export function isRuleFile(file: string): boolean {
  const name = file.slice(file.lastIndexOf('/') + 1).toLowerCase()
  return names.has(name) || name.endsWith('.mdc') || /(?:^|\/)\.(?:cursor|claude)\/rules\/.*\.md$/i.test(file)
}

async function* readFile(file: string, { name, path: shown }: { readonly name: string; readonly path: string }) {
  const { text, changedAt } = await wholeText(file)
  yield* ruleEntries({ source: name, path: shown, frontmatter: readFrontmatter(text), changedAt })
}
