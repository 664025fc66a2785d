import { ToolError } from '../../loop/tool-error.ts'
import type { ToolAnswer } from '../../loop/tool.ts'
import { mediaOf } from '../../media/media-of.ts'
import type { MediaPolicy } from '../../media/media-part.ts'
import { mediaLine } from '../../media/pure/media-text.ts'

/** A picture or a PDF, for a model that can take it; `undefined` if the bytes are neither. */
export async function shownMedia(
  bytes: Uint8Array,
  { name, media }: { readonly name: string; readonly media: MediaPolicy | undefined },
): Promise<ToolAnswer | undefined> {
  const found = mediaOf(bytes, { accepts: [], ...media, name })
  if (found.is === 'other') return undefined
  if (found.is === 'refused') throw new ToolError('validation', found.why)
  await media?.store.keep(found.part, bytes)
  return { text: mediaLine(found.part), parts: [found.part] }
}
