import type { SaveRequest, SaveResult, SimilarNote } from '@agentm/memory'
import { checkSaveRequest } from '@agentm/memory/notes'
import { oneLine, quoted } from '@agentm/memory/shown'
import { type Answer, type Call, type Command, UsageError } from '../../command.ts'
import { personSaysYes } from '../../person-says-yes.ts'
import { callerOf } from './caller.ts'
import { noteText } from './note-text.ts'
import { given, numberOption } from './number-option.ts'
import { whereOption } from './where-option.ts'
import { withMemory } from './with-memory.ts'

const noteOptions = {
  kind: { value: 'KIND', help: 'decision, fix, preference, workflow, …; note where absent' },
  title: { value: 'TEXT', help: 'what it is called; otherwise its first line' },
  slug: { value: 'NAME', help: 'exactly this file name, or a refusal' },
  tag: { value: 'TAG', help: 'a tag; may be given several times', repeats: true },
  personal: { help: 'belongs to no project' },
  'always-load': { help: 'begin every session of the project with it; with --personal, of every project' },
  confidence: { value: '0..1', help: 'how sure you are' },
  reason: { value: 'TEXT', help: 'why you are that sure' },
  key: { value: 'KEY', help: 'a repeated call with this key saves nothing twice' },
  ...whereOption,
}

export const save: Command = {
  takes: '[TEXT...]',
  summary: 'keep one note on purpose',
  details:
    'The text is the rest of the line, or standard input. The same text twice confirms the note that says it. --always-load asks ' +
    'you first; where nobody is at the terminal, it puts a proposal into the inbox.',
  options: noteOptions,
  async run(call) {
    const request = await requestFrom(call)
    if (request.alwaysLoad === true && request.by !== 'person') return proposed(call, request)
    return withMemory(call, async ({ memory, project }) => {
      if (request.alwaysLoad === true && !(await confirmed(call, request, project.slug)))
        return { text: 'not saved: declined', data: { outcome: 'declined' } }
      const saved = await memory.save(request)
      return { text: [savedText(saved), ...nobodys(saved, request, project)].join('\n'), data: saved }
    })
  },
}

export const offerSave: Command = {
  takes: '[TEXT...]',
  summary: 'keep what was offered, if it is sure enough or you say yes',
  details:
    'HARNESS_AUTO_SAVE_MODE is ask (default), silent or off; HARNESS_AUTO_SAVE_CONFIDENCE_THRESHOLD is 0.8 unless set. ' +
    'Without a terminal, what is not sure enough is dropped.',
  options: noteOptions,
  run: async (call) => {
    const candidate = await requestFrom(call)
    return withMemory(call, async ({ memory, project: { slug } }) => {
      const result = await memory.offerSave(candidate, {
        mode: modeFrom(call),
        ...given('threshold', thresholdFrom(call)),
        ...(call.terminal.isInteractive && !call.json
          ? {
              confirm: async (offered: Asked) => confirmed(call, offered, slug),
            }
          : {}),
      })
      const text = result.outcome === 'saved' ? savedText(result.saved) : `not saved: ${result.why}`
      return { text, data: result }
    })
  },
}

/** Nobody is at the terminal who could decide what every session begins with. */
async function proposed(call: Call, request: SaveRequest): Promise<Answer> {
  const { kind, text, title, slug, tags, scope, confidence, confidenceReason } = request
  return withMemory(call, async ({ memory }) => {
    const captured = await memory.capture({
      kind,
      text,
      alwaysLoad: true,
      ...given('title', title),
      ...given('slug', slug),
      ...given('tags', tags),
      ...given('scope', scope),
      ...given('confidence', confidence),
      ...given('rationale', confidenceReason),
    })
    const why = 'A person decides what every session begins with: agentm inbox shows what waits.'
    const { outcome, key } = captured
    const isWaiting = outcome === 'captured' || outcome === 'seen-again'
    const told = isWaiting ? `proposed: ${oneLine(key)}\n  ${why}` : `not proposed, ${outcome} already: ${oneLine(key)}`
    return { text: told, data: { ...captured, ...(isWaiting ? { proposed: 'always-load' } : {}) } }
  })
}

/** Refused before anything is opened, so that a refusal leaves nothing behind. */
async function requestFrom(call: Call): Promise<SaveRequest> {
  const request = {
    kind: call.get('kind') ?? 'note',
    text: await noteText(call),
    tags: call.all('tag'),
    ...given('title', call.get('title')),
    ...given('slug', call.get('slug')),
    ...given('scope', call.has('personal') ? ('personal' as const) : undefined),
    ...given('alwaysLoad', call.has('always-load') ? true : undefined),
    ...given('confidence', numberOption(call, 'confidence')),
    ...given('confidenceReason', call.get('reason')),
    ...given('idempotencyKey', call.get('key')),
    ...callerOf(call),
  }
  // Whether somebody is there to ask for it is found out later.
  checkSaveRequest({ ...request, by: 'person' })
  return request
}

const outcomes: Readonly<Record<SaveResult['outcome'], string>> = {
  created: 'saved',
  reinforced: 'known already, confirmed',
  known: 'known already, left as it is',
  repeated: 'saved before',
}

function savedText({ outcome, key, similar }: SaveResult): string {
  const what = outcomes[outcome]
  return [`${what}: ${oneLine(key)}`, ...similar.map(similarText)].join('\n')
}

/** Said where nobody asked for it: a note of one project would turn up in all of them. */
function nobodys({ project }: SaveResult, { scope }: SaveRequest, { slug }: { readonly slug?: string }): string[] {
  if (project !== undefined || scope === 'personal') return []
  const cure = slug === undefined ? ' This directory is no project; to make it one: agentm project name NAME.' : ''
  return [`  It belongs to no project: every project recalls it.${cure}`]
}

function similarText({ key, likeness }: SimilarNote): string {
  const how = likeness === 1 ? 'the same' : `nearly the same (${Math.round(likeness * 100)} %)`
  return `  says ${how}: ${oneLine(key)}`
}

function modeFrom({ env }: Call): 'ask' | 'silent' | 'off' {
  const mode = env['HARNESS_AUTO_SAVE_MODE']?.trim() || 'ask'
  if (mode === 'ask' || mode === 'silent' || mode === 'off') return mode
  throw new UsageError(`HARNESS_AUTO_SAVE_MODE is ${JSON.stringify(mode)}; it is ask, silent or off.`)
}

function thresholdFrom({ env }: Call): number | undefined {
  const threshold = Number(env['HARNESS_AUTO_SAVE_CONFIDENCE_THRESHOLD'] ?? Number.NaN)
  return threshold >= 0 && threshold <= 1 ? threshold : undefined
}

type Asked = Pick<SaveRequest, 'kind' | 'text' | 'alwaysLoad' | 'scope'>

async function confirmed({ terminal }: Call, asked: Asked, project: string | undefined): Promise<boolean> {
  const { kind, text, alwaysLoad = false, scope } = asked
  terminal.out(`${terminal.bold(oneLine(kind))}\n${quoted(text)}\n`)
  const where = scope === 'personal' || project === undefined ? 'in every project' : `in ${oneLine(project)}`
  if (alwaysLoad) return personSaysYes(terminal, `Keep it, and begin every session ${where} with it?`)
  return (await terminal.ask('Keep it? [y/N] ')).toLowerCase().startsWith('y')
}
