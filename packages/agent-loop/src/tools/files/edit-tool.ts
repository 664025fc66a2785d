import { z } from 'zod'
import { defineTool, type EarlierAnswer, type Tool, type Verdict } from '../../loop/tool.ts'
import { ToolError } from '../../loop/tool-error.ts'
import { beforehand } from '../beforehand.ts'
import { applyEdits, undoEdits } from '../pure/apply-edits.ts'
import { fileHeading, knownFile, versionOf } from '../pure/file-version.ts'
import { confinedFile } from './confined-file.ts'
import { fileDiff } from './file-diff.ts'
import { refuseMasks, refuseUnread } from './file-fence.ts'
import { closedToWriters, defaultMaxBytes, type FileToolsOptions, place } from './file-tools-options.ts'
import { inTurn } from './in-turn.ts'
import { readText, refuseLarge } from './read-text.ts'
import { replaceFile } from './replace-file.ts'

const editInput = z.object({
  path: place,
  edits: z
    .array(
      z.object({
        find: z.string().min(1).describe('The text to replace, exactly as it is, with enough around it to occur once.'),
        replace: z.string(),
        all: z.boolean().default(false).describe('Whether every occurrence is replaced.'),
      }),
    )
    .min(1)
    .max(100)
    .describe('Made in this order, all or none.'),
})

type Wanted = z.infer<typeof editInput>

/** Replaces passages of a text file whose present version the model has read. The answer is a unified diff. */
export function editTool(options: FileToolsOptions): Tool {
  return defineTool({
    name: 'files_edit',
    description: 'Replaces passages of a text file of the working folder that you have read. Gives what changed.',
    input: editInput,
    nature: 'effectful',
    needsApproval: options.needsApproval ?? false,
    run: async (wanted, { earlier = [] }) => edit(options, wanted, earlier),
    verify: async (wanted, { earlier = [] }) => lookAt(options, wanted, earlier),
  })
}

async function edit(
  { root, maxBytes = defaultMaxBytes, runtime }: FileToolsOptions,
  { path: name, edits }: Wanted,
  earlier: readonly EarlierAnswer[],
): Promise<string> {
  const confinement = { root, closed: closedToWriters }
  const { at, path } = await beforehand(async () => confinedFile(confinement, name))
  return inTurn(at, async () => {
    const before = await beforehand(async () => readText(at, { name, maxBytes }))
    refuseUnread({ path, text: before, earlier })
    const after = applyEdits(before, edits)
    if ('times' in after) throw unclear(path, { ...after, of: edits.length })
    refuseLarge(Buffer.byteLength(after.text), { name, maxBytes })
    refuseMasks(path, before, after.text)
    await replaceFile(confinement, { name, at, text: after.text, runtime })
    return edited(path, { before, after: after.text })
  })
}

function edited(path: string, { before, after }: { readonly before: string; readonly after: string }): string {
  return `${fileHeading(path, { text: after, says: 'edited' })}\n${fileDiff(path, before, after)}`
}

function unclear(
  path: string,
  { edit: number, of, times }: { readonly edit: number; readonly of: number; readonly times: number },
): ToolError {
  const which = of === 1 ? 'that text' : `the text of edit ${number}`
  const cure = times === 0 ? 'copy it exactly as files_read shows it' : 'add the lines around it, or set all'
  return new ToolError('validation', `nothing was edited: ${path} holds ${which} ${times} times; ${cure}`)
}

/** An edit happened if undoing it gives the version that the model had read. */
async function lookAt(
  { root, maxBytes = defaultMaxBytes }: FileToolsOptions,
  { path: name, edits }: Wanted,
  earlier: readonly EarlierAnswer[],
): Promise<Verdict> {
  const { at, path } = await confinedFile({ root }, name)
  const text = await readText(at, { name, maxBytes })
  const known = knownFile(earlier, path)
  if (known === undefined) return { happened: 'unknown' }
  if (known.version === versionOf(text)) return { happened: false }
  const before = undoEdits(text, edits)
  if (before === undefined || versionOf(before) !== known.version) return { happened: 'unknown' }
  return { happened: true, text: edited(path, { before, after: text }) }
}
