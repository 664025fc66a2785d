import path from 'node:path'
import { z } from 'zod'
import type { LoopRuntime } from '../../loop/attempt-call.ts'
import { defineTool, type Tool, type ToolContext } from '../../loop/tool.ts'
import { ToolError } from '../../loop/tool-error.ts'
import { systemRuntime } from '../../runtime.ts'
import { confinedPath } from '../confined-path.ts'
import { shownMatches } from '../pure/shown-matches.ts'
import { defaultMaxBytes, type FileToolsOptions, place } from './file-tools-options.ts'
import { fileTest } from './file-test.ts'
import { lineMatcher } from './line-matcher.ts'
import { readText } from './read-text.ts'
import { isFault, walkFiles } from './walk-files.ts'

const searchInput = z.object({
  pattern: z.string().min(1).describe('The text to find, within one line.'),
  regex: z.boolean().default(false).describe('Whether the pattern is a regular expression of JavaScript.'),
  ignoreCase: z.boolean().default(false),
  glob: z
    .string()
    .min(1)
    .optional()
    .describe('Which files, such as *.ts or src/**/*.{ts,tsx}; ! in front leaves them out.'),
  directory: place.default('.'),
  context: z.number().int().min(0).max(20).default(0).describe('How many lines around each match.'),
  most: z.number().int().min(1).max(1000).default(100).describe('How many matching lines at most.'),
  ignored: z.boolean().default(false).describe('Whether files that .gitignore leaves out are searched, too.'),
})

/** Finds the lines of text files that hold a text or match a regular expression. */
export function searchTool(options: FileToolsOptions, runtime: LoopRuntime = systemRuntime): Tool {
  return defineTool({
    name: 'files_search',
    description: 'Finds lines in the text files of the working folder. .gitignore is respected.',
    input: searchInput,
    nature: 'pure',
    run: async (wanted, context) => search(options, wanted, { context, runtime }),
  })
}

async function search(
  { root, maxBytes = defaultMaxBytes, matchingMs = 10_000 }: FileToolsOptions,
  { pattern, regex, ignoreCase, glob, most, context: around, directory, ignored }: z.infer<typeof searchInput>,
  { context: { signal }, runtime }: { readonly context: Pick<ToolContext, 'signal'>; readonly runtime: LoopRuntime },
): Promise<string> {
  const isWanted = fileTest(glob)
  const home = await confinedPath({ root }, '.')
  const matcher = lineMatcher({ pattern, isRegex: regex, ignoreCase }, { withinMs: matchingMs, signal, runtime })
  const found: string[] = []
  let [left, files] = [most, 0]
  try {
    for await (const name of walkFiles({ root, directory, ignored, signal })) {
      if (left === 0) break
      if (!isWanted(name)) continue
      const text = await textOf(path.join(home, name), { name, maxBytes })
      if (text === undefined) continue
      files++
      const matches = (await matcher.matches(text)).slice(0, left)
      left -= matches.length
      if (matches.length > 0) found.push(shownMatches({ path: name, lines: text.split('\n'), matches }, around))
    }
  } finally {
    await matcher.close()
  }
  if (found.length === 0) return `nothing found in ${files} files`
  const end = left === 0 ? [`only the first ${most} matches are shown; name a narrower pattern, glob or directory`] : []
  return [...found, ...end].join(around > 0 ? '\n--\n' : '\n')
}

/** `undefined` for what is no text, is too large, or cannot be read: it is not searched. */
async function textOf(at: string, reading: { readonly name: string; readonly maxBytes: number }) {
  try {
    return await readText(at, reading)
  } catch (error) {
    if (error instanceof ToolError || isFault(error, ['ENOENT', 'EACCES', 'ELOOP', 'ENXIO'])) return undefined
    throw error
  }
}
