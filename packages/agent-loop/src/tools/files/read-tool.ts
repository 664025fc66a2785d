import { z } from 'zod'
import { defineTool, type Tool } from '../../loop/tool.ts'
import type { MediaPolicy } from '../../media/media-part.ts'
import { mostBytes } from '../../media/pure/media-limits.ts'
import { confinedFile } from './confined-file.ts'
import { fileHeading } from '../pure/file-version.ts'
import { defaultMaxBytes, type FileToolsOptions, place } from './file-tools-options.ts'
import { readBytes, textOf } from './read-text.ts'
import { shownMedia } from './shown-media.ts'

/** Reads a text file, or some lines of it. The first line of the answer names the version of the file. */
export function readTool({ root, maxBytes = defaultMaxBytes, media }: FileToolsOptions): Tool {
  return defineTool({
    name: 'files_read',
    description: `Reads a text file of the working folder, or some lines of it. The first line of the answer is not in the file.${shows(media)}`,
    input: z.object({
      path: place,
      from: z.number().int().min(1).default(1).describe('The first line, counted from 1.'),
      lines: z.number().int().min(1).optional().describe('How many lines (default: to the end).'),
    }),
    nature: 'pure',
    async run({ path: name, from, lines: most }) {
      const { at, path } = await confinedFile({ root }, name)
      const bytes = await readBytes(at, { name, maxBytes, readsBytes: Math.max(...Object.values(mostBytes)) })
      const shown = await shownMedia(bytes, { name: path, media })
      if (shown !== undefined) return shown
      const text = textOf(bytes, { name, maxBytes })
      const lines = text.split('\n')
      const count = lines.at(-1) === '' ? lines.length - 1 : lines.length
      if (from === 1 && (most === undefined || most >= count))
        return `${fileHeading(path, { text, says: countOf(count) })}\n${text}`
      const part = lines.slice(from - 1, most === undefined ? undefined : from - 1 + most)
      const says = `lines ${from} to ${Math.min(count, from - 1 + part.length)} of ${count}`
      return `${fileHeading(path, { text, says })}\n${part.join('\n')}`
    },
  })
}

function shows(media: MediaPolicy | undefined): string {
  const what = media?.accepts.map((kind) => (kind === 'pdf' ? 'PDFs' : 'pictures')) ?? []
  return what.length === 0 ? '' : ` It also shows ${what.join(' and ')}, as a whole.`
}

function countOf(lines: number): string {
  return lines === 1 ? '1 line' : `${lines} lines`
}
