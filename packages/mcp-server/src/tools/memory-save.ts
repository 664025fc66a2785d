import { z } from 'zod'
import type { SavedNote } from '../memory-port.ts'
import { withoutAbsent } from '../pure/without-absent.ts'
import { tool } from '../tool.ts'

export const memorySave = tool({
  name: 'memory_save',
  description:
    'Keep one note: what was decided, found out or asked for, and why. The same text again confirms the note that is ' +
    'there. Secrets are refused.',
  input: z.strictObject({
    kind: z.string().describe('Such as decision, fix, preference, fact'),
    text: z.string().describe('Markdown; understandable alone, months later'),
    title: z.string().optional(),
    slug: z.string().optional().describe('Exactly this name'),
    tags: z.array(z.string()).optional(),
    scope: z.enum(['project', 'personal']).optional().describe('personal: holds in every project'),
    alwaysLoad: z.boolean().optional().describe('Shown at the start of every session'),
    idempotencyKey: z.string().optional().describe('Retries with it make one note'),
    confidence: z.number().min(0).max(1).optional(),
    confidenceReason: z.string().optional(),
  }),
  output: z.object({
    outcome: z.enum(['created', 'reinforced', 'repeated']),
    id: z.string(),
    key: z.string(),
    slug: z.string(),
    similar: z.array(z.object({ key: z.string(), title: z.string(), likeness: z.number() })),
  }),
  hints: { title: 'Save a note', readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  async answer(port, given) {
    const saved = await port.save(withoutAbsent(given))
    const { outcome, id, key, slug } = saved
    const similar = saved.similar.map(({ key: place, title, likeness }) => ({ key: place, title, likeness }))
    return { text: textOf(saved), data: { outcome, id, key, slug, similar } }
  },
})

const said = {
  created: 'Saved as',
  reinforced: 'It was known already and is confirmed:',
  repeated: 'This request was done before:',
}

function textOf({ outcome, key, similar }: SavedNote): string {
  const others = similar.map(({ title, key: place }) => `- ${title} · ${place}`)
  const told = others.length === 0 ? [] : ['Notes that say nearly the same; forget what no longer holds:', ...others]
  return [`${said[outcome]} ${key}`, ...told].join('\n')
}
