/** Reads a folder of Markdown files, or one file: a person's own notes, or those of basic-memory. */
import path from 'node:path'
import { readFrontmatter } from '@agentm/memory/notes'
import { filesBelow } from './files-below.ts'
import type { Read } from './import-entry.ts'
import { ImportFileError } from './import-file-error.ts'
import type { ImportSource } from './import-source.ts'
import { type LinkedFile, linkSlugs } from './pure/link-slugs.ts'
import { markdownEntry, type MarkdownFolder, textOf } from './pure/markdown-entry.ts'
import { wholeText } from './whole-file.ts'

export async function* readMarkdown(source: ImportSource): AsyncGenerator<Read> {
  yield* readFiles(source, { isBasicMemory: false })
}

export async function* readBasicMemory(source: ImportSource): AsyncGenerator<Read> {
  yield* readFiles(source, { isBasicMemory: true })
}

export function isMarkdownName(file: string): boolean {
  return /\.(?:md|markdown)$/i.test(file)
}

async function* readFiles(source: ImportSource, { isBasicMemory }: Pick<MarkdownFolder, 'isBasicMemory'>) {
  const folder = source.isFolder ? source.path : path.dirname(source.path)
  const name = source.isFolder ? source.name : path.posix.dirname(source.name)
  const { files, links } = source.isFolder
    ? await filesBelow(folder, { isWanted: isMarkdownName })
    : { files: [path.basename(source.path)], links: [] }
  for (const link of links) yield { place: link, why: 'it is a link; name its target to import it' }
  const linked = isBasicMemory ? await withTitles(folder, files) : files.map((file) => ({ path: file }))
  const target = { source: name, slugs: linkSlugs(linked), isBasicMemory }
  for (const file of files) yield await readFile({ folder, file }, target)
}

async function readFile(
  { folder, file }: { readonly folder: string; readonly file: string },
  target: MarkdownFolder,
): Promise<Read> {
  try {
    const { text, changedAt } = await wholeText(path.join(folder, file))
    return markdownEntry({ path: file, frontmatter: readFrontmatter(text), changedAt }, target)
  } catch (error) {
    // One odd file among thousands of notes is named, and the others are imported.
    if (error instanceof ImportFileError)
      return { place: file, why: error.message.slice(error.message.indexOf(': ') + 2) }
    throw error
  }
}

/** basic-memory links by title and by permalink. */
async function withTitles(folder: string, files: readonly string[]): Promise<readonly LinkedFile[]> {
  const linked: LinkedFile[] = []
  for (const file of files) {
    const text = await wholeText(path.join(folder, file)).catch(() => undefined)
    const { fields } = readFrontmatter(text?.text ?? '')
    const names = ['title', 'permalink'].flatMap((name) => textOf(fields.get(name)) ?? [])
    linked.push({ path: file, names })
  }
  return linked
}
