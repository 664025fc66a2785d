import type { Memory } from '@agentm/memory'
import { NoteAbsentError } from '@agentm/memory/errors'
import { checkCaptureRequest } from '@agentm/memory/notes'
import { dataNotice, marked, oneLine, shownEntry } from '@agentm/memory/shown'
import { Tier } from '@agentm/storage-seam'
import type { Answer, Call, Command } from '../../command.ts'
import { logOption } from '../../log-terminal.ts'
import { personSaysYes } from '../../person-says-yes.ts'
import { progressOf } from '../../progress.ts'
import { callerOf, orForPerson } from './caller.ts'
import { noteText } from './note-text.ts'
import { given, numberOption } from '../number-options.ts'
import { whereOption } from './where-option.ts'
import { lookingAtMemory, type OpenedMemory, withMemory } from './with-memory.ts'
import { commandWord } from '../../typed.ts'

export const capture: Command = {
  takes: '[TEXT...]',
  summary: 'propose a note; it waits in the inbox until a person decides',
  details:
    'A proposal is never recalled. agentm inbox lists the proposals. Secrets in the text are replaced before it is written.',
  options: {
    kind: { value: 'KIND', help: 'the kind of note it would be (default: idea)' },
    confidence: { value: '0..1', help: 'how sure you are, from 0 to 1' },
    reason: { value: 'TEXT', help: 'why it may be worth keeping' },
    ...whereOption,
  },
  async run(call) {
    const request = {
      text: await noteText(call),
      ...given('kind', call.get('kind')),
      ...given('confidence', numberOption(call, 'confidence')),
      ...given('rationale', call.get('reason')),
    }
    checkCaptureRequest(request)
    return withMemory(call, async ({ memory }) => {
      const captured = await memory.capture(request)
      const redacted =
        captured.redacted.length === 0 ? '' : `; replaced: ${captured.redacted.map((kind) => oneLine(kind)).join(', ')}`
      const what = captureOutcomes[captured.outcome]
      return { text: `${what}: ${oneLine(captured.key)}${redacted}`, data: captured }
    })
  },
}

const captureOutcomes = {
  captured: 'captured',
  'seen-again': 'proposed again',
  known: 'not captured, because a note already says it',
  rejected: 'not captured, because you rejected it before',
}

/** For commands that name a note. Creates no store where there is none: then no note has that name. */
function ofNote(call: Call, work: (opened: OpenedMemory) => Promise<Answer>): Promise<Answer> {
  return lookingAtMemory(call, work, () => {
    throw new NoteAbsentError(call.args[0] ?? '')
  })
}

export const forget: Command = {
  takes: 'NOTE',
  summary: 'forget a note; agentm restore brings it back',
  details:
    'NOTE is an id or a place. A forgotten note is marked as deleted and left out of every answer. With --purge its text is permanently ' +
    'deleted; its place and name stay. A program may forget notes that agents wrote. For all other notes, and for --purge, you have to confirm at a terminal.',
  options: {
    reason: { value: 'TEXT', help: 'why you forget it' },
    purge: { help: 'permanently delete the text: note, archived versions, index, vectors; asks first' },
    ...whereOption,
  },
  run: async (call) =>
    ofNote(call, async ({ memory }) => {
      const [note = ''] = call.args
      const purge = call.has('purge')
      const request = { purge, ...given('reason', call.get('reason')) }
      const isAsked = purge && callerOf(call).by === 'person'
      if (isAsked && !(await personSaysYes(call.terminal, `${lastWarning} ${oneLine(note)}?`)))
        return {
          text: 'nothing was deleted, because you did not type the number',
          data: { outcome: 'declined' },
          exit: 1,
        }
      const done = isAsked
        ? await memory.forget(note, { ...request, by: 'person' })
        : await orForPerson(call, `${oneLine(note)} was not written by an agent. Forget it anyway?`, (caller) =>
            memory.forget(note, { ...request, ...caller }),
          )
      const what = done.purged ? 'permanently deleted' : done.alreadyForgotten ? 'already forgotten' : 'forgotten'
      const left = done.leftBehind.map((key) => `this conflict copy still contains the text: ${oneLine(key)}`)
      return { text: `${what}: ${oneLine(done.key ?? done.id)}`, data: done, notices: left }
    }),
}

// A purge cannot be undone, so a person confirms it, whoever wrote the note.
const lastWarning = 'Permanently delete the text and the earlier versions of'

export const restore: Command = {
  takes: 'NOTE',
  summary: 'restore a forgotten note',
  details:
    'NOTE is an id or a place; agentm notes --status deleted lists the notes that can be restored. A purged note cannot be restored.',
  options: whereOption,
  run: async (call) =>
    ofNote(call, async ({ memory }) => {
      const [note = ''] = call.args
      const question = `${oneLine(note)} was forgotten by a person, or was not written by an agent. Restore it?`
      const done = await orForPerson(call, question, (caller) => memory.restore(note, caller))
      return {
        text: `${done.restored ? 'restored' : 'was not forgotten'}: ${oneLine(done.key ?? done.id)}`,
        data: done,
      }
    }),
}

export const supersede: Command = {
  takes: 'NOTE [TEXT...]',
  summary: 'replace a note that is no longer true; the old version is archived',
  options: {
    reason: { value: 'TEXT', help: 'what changed (required)' },
    title: { value: 'TEXT', help: 'a new title' },
    slug: { value: 'NAME', help: 'a new file name' },
    ...whereOption,
  },
  run: async (call) =>
    ofNote(call, async ({ memory }) => {
      const [note = '', ...rest] = call.args
      const text = await noteText({ ...call, args: rest })
      const request = {
        text,
        reason: call.get('reason') ?? '',
        ...given('title', call.get('title')),
        ...given('slug', call.get('slug')),
      }
      const question = `${oneLine(note)} was not written by an agent. Replace it anyway?`
      const done = await orForPerson(call, question, (caller) => memory.supersede(note, { ...request, ...caller }))
      return { text: `${oneLine(done.key)}\n  the old version is archived at ${oneLine(done.archive)}`, data: done }
    }),
}

export const history: Command = {
  takes: 'NOTE',
  summary: 'show every version of a note, newest first',
  options: whereOption,
  run: async (call) => ofNote(call, async ({ memory }) => historyAnswer(await memory.history(call.args[0] ?? ''))),
}

function historyAnswer(versions: Awaited<ReturnType<Memory['history']>>): Answer {
  const text = versions
    .map(({ reason, status, ...version }) => {
      const because = reason === undefined ? [] : [`because ${marked(reason, mostOfReason)}`]
      return shownEntry({ ...version, of: 'note', id: version.key }, oneLine(status), ...because)
    })
    .join('\n\n')
  return { text: `${dataNotice}\n\n${text}`, data: { versions } }
}

const mostOfReason = 300

export const lint: Command = {
  summary: 'check the notes for mistakes; the exit code is 1 when there are errors',
  options: whereOption,
  run: async (call) =>
    lookingAtMemory(
      call,
      async ({ memory }) => lintAnswer(await memory.lint()),
      () => lintAnswer({ entries: 0, skipped: 0, findings: [] }),
    ),
}

function lintAnswer(report: Awaited<ReturnType<Memory['lint']>>): Answer {
  const lines = report.findings.map(
    ({ severity, key, message, suggestion }) =>
      `${severity} ${oneLine(key)}: ${oneLine(message)}\n  ${oneLine(suggestion)}`,
  )
  const errors = report.findings.filter(({ severity }) => severity === 'error').length
  const sum = `${report.entries} notes, ${errors} errors, ${report.findings.length - errors} warnings`
  return { text: [...lines, sum].join('\n'), data: report, exit: errors > 0 ? 1 : 0 }
}

export const reindex: Command = {
  summary: 'rebuild the search index and the published beliefs',
  details:
    'Both are derived from the notes and the log, so rebuilding loses nothing. A belief whose note you deleted is not published again, ' +
    'because deleting the note means that the belief is to be forgotten.',
  options: { ...whereOption, log: logOption },
  run: async (call) =>
    withMemory(call, async ({ memory }) => {
      const unreadable: string[] = []
      const onUnreadable = (key: string) => unreadable.push(key)
      const line = progressOf(call)
      const showing = (doing: string) => (done: number, total: number) => line.show(doing, done, total)
      await memory.reindex(Tier.LOCAL_INDEX, { onProgress: showing('Reading notes into the index'), onUnreadable })
      await memory.reindex(Tier.SHARED_ABSTRACTS)
      const onProgress = showing('Making vectors')
      const backlog = await memory.embedPending({ limit: 1_000_000, budgetMs: 600_000, onProgress })
      line.clear()
      const waiting =
        backlog.waiting === 0
          ? []
          : [
              `${backlog.waiting} texts have no vector yet and are found by words only (${backlog.failure ?? 'the time limit was reached'})`,
            ]
      const text = ['The index was rebuilt.', ...leftOut(unreadable)].join('\n')
      return { text, data: { backlog, unreadable }, notices: waiting }
    }),
}

function leftOut(unreadable: readonly string[]): readonly string[] {
  if (unreadable.length === 0) return []
  const more = unreadable.length > mostNamed ? [`  and ${unreadable.length - mostNamed} more`] : []
  return [
    `${unreadable.length} files are not in the index, because they cannot be read or are too large. To see why: ${commandWord()} lint`,
    ...unreadable.slice(0, mostNamed).map((key) => `  ${oneLine(key)}`),
    ...more,
  ]
}

const mostNamed = 20
