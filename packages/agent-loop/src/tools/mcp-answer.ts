/** What a tool of an MCP server answered: its texts, and its pictures and documents for a model that can take them. */
import { z } from 'zod'
import type { ToolAnswer } from '../loop/tool.ts'
import { mediaOf } from '../media/media-of.ts'
import type { MediaPart, MediaPolicy } from '../media/media-part.ts'
import { mediaLine } from '../media/pure/media-text.ts'

const contentPart = z.object({
  type: z.string(),
  text: z.string().optional(),
  data: z.string().optional(),
  uri: z.string().optional(),
  resource: z.object({ uri: z.string(), text: z.string().optional(), blob: z.string().optional() }).optional(),
})
const callAnswer = z.object({
  content: z.array(contentPart).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().default(false),
})

type Content = z.infer<typeof contentPart>

export interface McpAnswering {
  /** The name of the tool, for its pictures. */
  readonly name: string
  readonly media: MediaPolicy | undefined
}

export async function mcpAnswer(result: unknown, answering: McpAnswering): Promise<ToolAnswer> {
  const { content, structuredContent, isError } = callAnswer.parse(result)
  const shown = await Promise.all(content.map(async (each, i) => shownContent(each, i + 1, answering)))
  const said =
    content.length > 0 || structuredContent === undefined
      ? shown.map(({ text }) => text).join('\n')
      : JSON.stringify(structuredContent)
  const parts = shown.flatMap(({ part }) => part ?? [])
  return { text: said || 'it answered nothing', failed: isError, ...(parts.length > 0 && { parts }) }
}

async function shownContent(
  { type, text, data, uri, resource }: Content,
  nth: number,
  { name, media }: McpAnswering,
): Promise<{ readonly text: string; readonly part?: MediaPart }> {
  const words = text ?? resource?.text
  if (words !== undefined) return { text: words }
  const base64 = data ?? resource?.blob
  const plain = `[${type} ${uri ?? resource?.uri ?? ''}]`
  if (base64 === undefined || media === undefined) return { text: plain }
  const bytes = Buffer.from(base64, 'base64')
  const found = mediaOf(bytes, { ...media, name: `${name} ${nth}` })
  if (found.is !== 'part') return { text: found.is === 'refused' ? `[${found.why}]` : plain }
  await media.store.keep(found.part, bytes)
  return { text: mediaLine(found.part), part: found.part }
}
