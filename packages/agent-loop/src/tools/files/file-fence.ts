/**
 * A file may be changed only in the version that the model knows. Otherwise an agent would overwrite what a person, a program or
 * another agent wrote meanwhile.
 */
import type { EarlierAnswer } from '../../loop/tool.ts'
import { ToolError } from '../../loop/tool-error.ts'
import { knownFile, versionOf } from '../pure/file-version.ts'
import { fileDiff } from './file-diff.ts'

export interface Fenced {
  readonly path: string
  /** The text of the file now. */
  readonly text: string
  readonly earlier: readonly EarlierAnswer[]
}

export function refuseUnread({ path, text, earlier }: Fenced): void {
  const known = knownFile(earlier, path)
  if (known === undefined) throw refusal(`${path} is there and you have not read it: read it with files_read first`)
  if (known.version === versionOf(text)) return
  const changed = known.text === undefined ? '' : `. What changed:\n${fileDiff(path, known.text, text)}`
  throw refusal(`${path} was changed since you read it; read it again with files_read${changed}`)
}

const mask = '[redacted: '

/** The model sees a mask in place of each secret. Written back, it would replace the secret. */
export function refuseMasks(path: string, before: string, after: string): void {
  if (after.split(mask).length > before.split(mask).length)
    throw refusal(
      `${path}: the text holds ${mask}…], which stands for a secret that you were not shown; change the passages around it with files_edit`,
    )
}

function refusal(message: string): ToolError {
  return new ToolError('validation', message, { mayHaveHappened: false })
}
