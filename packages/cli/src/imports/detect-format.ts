/** Which format a file or folder has, by what is in it. `undefined` if nothing tells. */
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { readFrontmatter } from '@agentm/memory/notes'
import { filesBelow } from './files-below.ts'
import { firstByte, firstBytes } from './first-bytes.ts'
import type { FormatName } from './import-formats.ts'
import { ImportFileError } from './import-file-error.ts'
import type { ImportSource } from './import-source.ts'
import { jsonArray } from './json-array.ts'
import { jsonLines } from './json-lines.ts'
import { jsonFormat } from './pure/json-format.ts'
import { isMarkdownName } from './read-markdown.ts'
import { isRuleFile } from './read-rules.ts'
import { isFile } from './source-file.ts'
import { wholeJson, wholeText } from './whole-file.ts'

export async function detectFormat(source: ImportSource): Promise<FormatName | undefined> {
  return source.isFolder ? formatOfFolder(source) : formatOfFile(source.path)
}

/** Files that tell what wrote the folder, before those that may be in any folder. */
const tellingFiles = [
  'claude-mem.db',
  'conversations.json',
  'conversations-000.json',
  'memory.jsonl',
  'memories.json',
  'projects.json',
  'memory.json',
  'memories.jsonl.gz',
]

async function formatOfFolder({ path: folder }: ImportSource): Promise<FormatName | undefined> {
  for (const name of tellingFiles) {
    const file = path.join(folder, name)
    const found = (await isFile(file)) ? await formatOfFile(file) : undefined
    if (found !== undefined) return found
  }
  const names = await readdir(folder)
  if (names.includes('.obsidian')) return 'markdown'
  if (names.some((name) => isRuleFile(name)) || names.includes('.cursor')) return 'rules'
  return formatOfNotes(folder)
}

const mostLookedAt = 40

/** basic-memory gives each of its files a permalink. */
async function formatOfNotes(folder: string): Promise<FormatName | undefined> {
  const { files } = await filesBelow(folder, { isWanted: isMarkdownName })
  if (files.length === 0) return undefined
  const looked = files.slice(0, mostLookedAt)
  const links = await Promise.all(looked.map((file) => hasPermalink(path.join(folder, file))))
  return links.filter(Boolean).length > looked.length / 2 ? 'basic-memory' : 'markdown'
}

async function hasPermalink(file: string): Promise<boolean> {
  const { text } = await wholeText(file).catch(() => ({ text: '' }))
  return readFrontmatter(text).fields.has('permalink')
}

async function formatOfFile(file: string): Promise<FormatName | undefined> {
  const name = path.basename(file)
  if (isRuleFile(file.split(path.sep).join('/'))) return 'rules'
  if (isMarkdownName(name)) return (await hasPermalink(file)) ? 'basic-memory' : 'markdown'
  const head = (await firstBytes(file, 16)).toString('latin1')
  if (head.startsWith('SQLite format 3')) return 'claude-mem'
  if (head.startsWith('PK\u0003\u0004'))
    throw new ImportFileError({ file }, 'it is an archive. Unpack it, and import the folder.')
  if (head.startsWith('\u001f\u008b') && !name.endsWith('.gz'))
    throw new ImportFileError({ file }, 'it is compressed. Unpack it, or give it a name that ends in .gz.')
  return formatOfJson(file)
}

async function formatOfJson(file: string): Promise<FormatName | undefined> {
  if (file.endsWith('.gz')) return jsonFormat(await firstValue(jsonLines(file)))
  const begins = await firstByte(file)
  if (begins === '[') return jsonFormat(await firstValue(jsonArray(file)))
  if (begins !== '{') return undefined
  // One value per line, or one value over many lines.
  const line = await firstValue(jsonLines(file)).catch(() => undefined)
  return jsonFormat(line) ?? jsonFormat(await wholeJson(file).catch(() => undefined))
}

async function firstValue(items: AsyncGenerator<{ readonly value: unknown }>): Promise<unknown> {
  for await (const { value } of items) return value
  return undefined
}
