import { z } from 'zod'
import { defineTool, type Tool } from '../../loop/tool.ts'
import { type FileToolsOptions, place } from './file-tools-options.ts'
import { fileTest } from './file-test.ts'
import { walkFiles } from './walk-files.ts'

/** Names the files that match a glob. */
export function globTool({ root }: FileToolsOptions): Tool {
  return defineTool({
    name: 'files_glob',
    description: 'Names the files of the working folder that match a glob. .gitignore is respected.',
    input: z.object({
      glob: z.string().min(1).describe('Such as *.ts for every directory, or src/**/*.{ts,tsx}.'),
      directory: place.default('.').describe('Only files below it. The glob still begins at the working folder.'),
      most: z.number().int().min(1).max(5000).default(500),
      ignored: z.boolean().default(false).describe('Whether files that .gitignore leaves out are named, too.'),
    }),
    nature: 'pure',
    async run({ glob, directory, most, ignored }, { signal }) {
      const isWanted = fileTest(glob)
      const found: string[] = []
      for await (const name of walkFiles({ root, directory, ignored, signal })) {
        if (!isWanted(name)) continue
        if (found.length === most)
          return [...found, `only the first ${most} are shown; name a narrower glob or directory`].join('\n')
        found.push(name)
      }
      return found.join('\n') || 'no file matches'
    },
  })
}
