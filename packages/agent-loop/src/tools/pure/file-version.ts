/**
 * Which version of a file the model knows. The first line of each answer about a file names its version, a hash of its text. So the
 * conversation itself says what was read, also after a crash, and no more is known of a file than the model still sees.
 */
import { createHash } from 'node:crypto'
import type { EarlierAnswer } from '../../loop/tool.ts'

export function versionOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

/** The first line of an answer about a file. */
export function fileHeading(path: string, { text, says }: { readonly text: string; readonly says: string }): string {
  return `${path}, version ${versionOf(text)}, ${says}`
}

export interface KnownFile {
  readonly version: string
  /** The whole text, if the model was shown all of it, and nothing in it was masked. */
  readonly text?: string
}

const tools = new Set(['files_read', 'files_write', 'files_edit'])

/** `undefined` if the model was shown nothing of the file, or no longer sees it. */
export function knownFile(earlier: readonly EarlierAnswer[], path: string): KnownFile | undefined {
  for (const { tool, text } of earlier.toReversed()) {
    const [heading, of, version] = /^(.+), version ([0-9a-f]{12}), .*(?:\n|$)/.exec(text) ?? []
    if (heading === undefined || version === undefined || of !== path || !tools.has(tool)) continue
    const shown = text.slice(heading.length)
    return versionOf(shown) === version ? { version, text: shown } : { version }
  }
  return undefined
}
