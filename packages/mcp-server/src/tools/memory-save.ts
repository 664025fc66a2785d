import { marked, oneLine } from '@agentm/memory/shown'
import { z } from 'zod'
import type { CaptureRequest, MemoryPort, SavedNote, SaveRequest } from '../memory-port.ts'
import { withoutAbsent } from '../pure/without-absent.ts'
import { tool } from '../tool.ts'
import { capturedText } from './memory-capture.ts'

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
    alwaysLoad: z
      .boolean()
      .optional()
      .describe('Propose that sessions begin with it: it waits in the inbox until the user accepts it'),
    idempotencyKey: z.string().optional().describe('Retries with it make one note'),
    confidence: z.number().min(0).max(1).optional(),
    confidenceReason: z.string().optional(),
  }),
  hints: { title: 'Save a note', readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  async answer(port, { alwaysLoad = false, ...given }) {
    if (alwaysLoad) return propose(port, withoutAbsent(given))
    const saved = await port.save(withoutAbsent(given))
    const isNobodys = saved.project === undefined && given.scope !== 'personal'
    return [textOf(saved), ...(isNobodys ? [nobodys] : [])].join('\n')
  },
})

const nobodys = 'It belongs to no project: every project recalls it.'

const outcomes = {
  created: 'Saved as',
  reinforced: 'It was known already and is confirmed:',
  known: 'It was known already, from a note that is not yours to change:',
  repeated: 'This request was done before:',
}

function textOf({ outcome, key, similar }: SavedNote): string {
  const others = similar.map(({ title, key: place }) => `- ${marked(title)} · ${oneLine(place)}`)
  const told = others.length === 0 ? [] : ['Notes that say nearly the same; forget what no longer holds:', ...others]
  return [`${outcomes[outcome]} ${oneLine(key)}`, ...told].join('\n')
}

/** Only a person decides what is loaded in every session, so the request becomes a proposal. */
async function propose(port: MemoryPort, request: SaveRequest): Promise<string> {
  const { idempotencyKey: _once, confidenceReason, ...rest } = request
  const wanted: CaptureRequest = { ...rest, ...withoutAbsent({ rationale: confidenceReason }), alwaysLoad: true }
  const captured = await port.capture(wanted)
  const { outcome, key } = captured
  if (outcome === 'known' || outcome === 'rejected') return capturedText(captured)
  return (
    `Proposed, not saved: ${oneLine(key)}\n` +
    'It waits in the inbox. Tell the user to run agentm inbox, because only they can decide that sessions begin with it.'
  )
}
