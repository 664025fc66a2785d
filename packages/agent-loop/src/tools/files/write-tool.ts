import { z } from 'zod'
import { defineTool, type EarlierAnswer, type Tool } from '../../loop/tool.ts'
import { beforehand } from '../beforehand.ts'
import { fileHeading } from '../pure/file-version.ts'
import { confinedFile } from './confined-file.ts'
import { fileDiff } from './file-diff.ts'
import { refuseMasks, refuseUnread } from './file-fence.ts'
import { closedToWriters, defaultMaxBytes, type FileToolsOptions, place } from './file-tools-options.ts'
import { inTurn } from './in-turn.ts'
import { readText, refuseLarge } from './read-text.ts'
import { replaceFile } from './replace-file.ts'
import { isFault } from './walk-files.ts'

const writeInput = z.object({ path: place, text: z.string() })

/** Writes a whole text file: a new one, or one whose present version the model has read. */
export function writeTool(options: FileToolsOptions): Tool {
  return defineTool({
    name: 'files_write',
    description:
      'Writes a whole text file of the working folder; directories on the way are made. A file that is there must have been read.',
    input: writeInput,
    nature: 'idempotent',
    needsApproval: options.needsApproval ?? false,
    run: async (wanted, { earlier = [] }) => write(options, wanted, earlier),
  })
}

async function write(
  { root, maxBytes = defaultMaxBytes, runtime }: FileToolsOptions,
  { path: name, text }: z.infer<typeof writeInput>,
  earlier: readonly EarlierAnswer[],
): Promise<string> {
  const confinement = { root, closed: closedToWriters }
  const { at, path } = await beforehand(async () => confinedFile(confinement, name))
  refuseLarge(Buffer.byteLength(text), { name, maxBytes })
  const heading = fileHeading(path, { text, says: `${Buffer.byteLength(text)} bytes written` })
  return inTurn(at, async () => {
    const before = await beforehand(async () => presentText(at, { name, maxBytes }))
    // It holds the text already, as after a crash before the answer was stored.
    if (before === text) return heading
    if (before !== undefined) refuseUnread({ path, text: before, earlier })
    refuseMasks(path, before ?? '', text)
    await replaceFile(confinement, { name, at, text, runtime })
    return before === undefined ? heading : `${heading}\n${fileDiff(path, before, text)}`
  })
}

async function presentText(at: string, reading: { readonly name: string; readonly maxBytes: number }) {
  try {
    return await readText(at, reading)
  } catch (error) {
    if (isFault(error, ['ENOENT'])) return undefined
    throw error
  }
}
