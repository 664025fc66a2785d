import type { SaveRequest, SaveResult, SimilarNote } from '@agentm/memory'
import { checkSaveRequest } from '@agentm/memory/notes'
import { oneLine, quoted } from '@agentm/memory/shown'
import { type Answer, type Call, type Command, UsageError } from '../../command.ts'
import { personSaysYes } from '../../person-says-yes.ts'
import { callerOf } from './caller.ts'
import { noteText } from './note-text.ts'
import { given, numberOption } from '../number-options.ts'
import { whereOption } from './where-option.ts'
import { withMemory } from './with-memory.ts'
import { commandWord, typed } from '../../typed.ts'

const noteOptions = {
  kind: { value: 'KIND', help: 'the kind of note, such as decision, fix, preference or workflow (default: note)' },
  title: { value: 'TEXT', help: 'the title (default: the first line of the text)' },
  slug: { value: 'NAME', help: 'the file name to use; refused if it is taken' },
  tag: { value: 'TAG', help: 'a tag; may be given several times', repeats: true },
  personal: { help: 'the note belongs to no project; every project recalls it' },
  'always-load': { help: 'begin every session of the project with this note; with --personal, of every project' },
  confidence: { value: '0..1', help: 'how sure you are, from 0 to 1' },
  reason: { value: 'TEXT', help: 'why you are that sure' },
  key: { value: 'KEY', help: 'an idempotency key: a second call with the same key saves nothing' },
  ...whereOption,
}

export const save: Command = {
  takes: '[TEXT...]',
  summary: 'save a note',
  details:
    'TEXT is the rest of the line, or standard input. If a note already has this text, that note is confirmed instead. --always-load asks ' +
    'you first; without a terminal, the note becomes a proposal in the inbox.',
  options: noteOptions,
  async run(call) {
    const request = await requestFrom(call)
    if (request.alwaysLoad === true && request.by !== 'person') return proposed(call, request)
    return withMemory(call, async ({ memory, project }) => {
      if (request.alwaysLoad === true && !(await confirmed(call, request, project.slug)))
        return { text: 'not saved: you declined', data: { outcome: 'declined' } }
      const saved = await memory.save(request)
      return { text: [savedText(saved), ...nobodys(saved, request, project)].join('\n'), data: saved }
    })
  },
}

export const offerSave: Command = {
  takes: '[TEXT...]',
  summary: 'save a note if its confidence is high enough, or if you confirm',
  details:
    'HARNESS_AUTO_SAVE_MODE is ask, silent or off (default: ask). HARNESS_AUTO_SAVE_CONFIDENCE_THRESHOLD is the confidence that is high ' +
    'enough (default: 0.8). Without a terminal, a note below it is not saved.',
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

/** Without a terminal nobody can decide that sessions begin with this note, so it becomes a proposal. */
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
    const why = typed('Only a person can decide that sessions begin with a note. To decide: agentm inbox')
    const { outcome, key } = captured
    const isWaiting = outcome === 'captured' || outcome === 'seen-again'
    const told = isWaiting ? `proposed: ${oneLine(key)}\n  ${why}` : `not proposed, ${outcome} already: ${oneLine(key)}`
    return { text: told, data: { ...captured, ...(isWaiting ? { proposed: 'always-load' } : {}) } }
  })
}

/** Checks the request before anything is opened, so that a refusal leaves nothing behind. */
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
  // Whether a person asks is checked later.
  checkSaveRequest({ ...request, by: 'person' })
  return request
}

const outcomes: Readonly<Record<SaveResult['outcome'], string>> = {
  created: 'saved',
  reinforced: 'already known, and now confirmed',
  known: 'already known, not changed',
  repeated: 'already saved with this key',
}

function savedText({ outcome, key, similar }: SaveResult): string {
  const what = outcomes[outcome]
  return [`${what}: ${oneLine(key)}`, ...similar.map(similarText)].join('\n')
}

/** A warning if the note belongs to no project and nobody asked for that, because every project will recall it. */
function nobodys({ project }: SaveResult, { scope }: SaveRequest, { slug }: { readonly slug?: string }): string[] {
  if (project !== undefined || scope === 'personal') return []
  const cure = slug === undefined ? ` To make this directory a project: ${commandWord()} project name NAME` : ''
  return [`  The note belongs to no project, so every project recalls it.${cure}`]
}

function similarText({ key, likeness }: SimilarNote): string {
  const how = likeness === 1 ? 'the same' : `nearly the same (${Math.round(likeness * 100)} %)`
  return `  says ${how}: ${oneLine(key)}`
}

function modeFrom({ env }: Call): 'ask' | 'silent' | 'off' {
  const mode = env['HARNESS_AUTO_SAVE_MODE']?.trim() || 'ask'
  if (mode === 'ask' || mode === 'silent' || mode === 'off') return mode
  throw new UsageError(`HARNESS_AUTO_SAVE_MODE does not accept ${JSON.stringify(mode)}. Use ask, silent or off.`)
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
  if (alwaysLoad) return personSaysYes(terminal, `Save it, and begin every session ${where} with it?`)
  return (await terminal.ask('Save it? [y/N] ')).toLowerCase().startsWith('y')
}
