import { readdir } from 'node:fs/promises'
import { z } from 'zod'
import { defineTool, type Tool } from '../../loop/tool.ts'
import { confinedPath } from '../confined-path.ts'
import { type FileToolsOptions, place } from './file-tools-options.ts'

const mostEntries = 2000

/** Lists one directory. */
export function listTool({ root }: FileToolsOptions): Tool {
  return defineTool({
    name: 'files_list',
    description: 'Lists a directory of the working folder. Directories end with /.',
    input: z.object({ directory: place.default('.') }),
    nature: 'pure',
    async run({ directory }) {
      const at = await confinedPath({ root }, directory)
      const entries = await readdir(at, { withFileTypes: true })
      const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).toSorted()
      const shown = names.slice(0, mostEntries)
      const rest = names.length - shown.length
      return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n') || 'it is empty'
    },
  })
}
