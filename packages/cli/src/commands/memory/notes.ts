import type { Memory } from '@agentm/memory'
import { NoteAbsentError } from '@agentm/memory/errors'
import { checkCaptureRequest } from '@agentm/memory/notes'
import { dataNotice, marked, oneLine, shownEntry } from '@agentm/memory/shown'
import { Tier } from '@agentm/storage-seam'
import type { Answer, Call, Command } from '../../command.ts'
import { personSaysYes } from '../../person-says-yes.ts'
import { callerOf, orForPerson } from './caller.ts'
import { noteText } from './note-text.ts'
import { given, numberOption } from './number-option.ts'
import { whereOption } from './where-option.ts'
import { lookingAtMemory, type OpenedMemory, withMemory } from './with-memory.ts'

export const capture: Command = {
  takes: '[TEXT...]',
  summary: 'put a candidate into the inbox, for a person to look at',
  details:
    'It is never recalled and never followed; agentm inbox shows it. Secrets in it are replaced before it is written.',
  options: {
    kind: { value: 'KIND', help: 'what it may become; idea where absent' },
    confidence: { value: '0..1', help: 'how sure you are' },
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
  'seen-again': 'seen-again',
  known: 'known already, a note says it',
  rejected: 'not captured, you turned it down before',
}

/** For what names a note: where nothing was ever kept there is none of that name, and nothing is made. */
function ofNote(call: Call, work: (opened: OpenedMemory) => Promise<Answer>): Promise<Answer> {
  return lookingAtMemory(call, work, () => {
    throw new NoteAbsentError(call.args[0] ?? '')
  })
}

export const forget: Command = {
  takes: 'NOTE',
  summary: 'forget a note, by its id or its place',
  details:
    'It is marked and kept out of every answer; agentm restore brings it back. With --purge its text is erased for good; its place\n' +
    'and name stay. Programs can forget what agents wrote. For every other note, and to erase one, you have to be at a terminal.',
  options: {
    reason: { value: 'TEXT', help: 'why' },
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
        return { text: 'nothing was erased: the number was not typed', data: { outcome: 'declined' }, exit: 1 }
      const done = isAsked
        ? await memory.forget(note, { ...request, by: 'person' })
        : await orForPerson(call, `No agent wrote ${oneLine(note)}. Forget it all the same?`, (caller) =>
            memory.forget(note, { ...request, ...caller }),
          )
      const what = done.purged ? 'erased' : done.alreadyForgotten ? 'forgotten before' : 'forgotten'
      const left = done.leftBehind.map((key) => `this conflict copy still holds the text: ${oneLine(key)}`)
      return { text: `${what}: ${oneLine(done.key ?? done.id)}`, data: done, notices: left }
    }),
}

// What cannot be had back is asked about, whoever wrote it.
const lastWarning = 'Permanently delete the text and the earlier versions of'

export const restore: Command = {
  takes: 'NOTE',
  summary: 'bring back what was forgotten, as it was',
  details: 'By its id or its place; agentm notes --status deleted lists what can be restored. What was purged is gone.',
  options: whereOption,
  run: async (call) =>
    ofNote(call, async ({ memory }) => {
      const [note = ''] = call.args
      const question = `Bring back ${oneLine(note)}, which a person forgot or no agent wrote?`
      const done = await orForPerson(call, question, (caller) => memory.restore(note, caller))
      return {
        text: `${done.restored ? 'restored' : 'was not forgotten'}: ${oneLine(done.key ?? done.id)}`,
        data: done,
      }
    }),
}

export const supersede: Command = {
  takes: 'NOTE [TEXT...]',
  summary: 'put what is true now in place of a note, and keep the old one',
  options: {
    reason: { value: 'TEXT', help: 'what changed (needed)' },
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
      const question = `No agent wrote ${oneLine(note)}. Put the new text in its place?`
      const done = await orForPerson(call, question, (caller) => memory.supersede(note, { ...request, ...caller }))
      return { text: `${oneLine(done.key)}\n  the old version is kept at ${oneLine(done.archive)}`, data: done }
    }),
}

export const history: Command = {
  takes: 'NOTE',
  summary: 'print a note through time, newest first',
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
  summary: 'check the notes; exit code 1 when something is wrong',
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
  summary: 'build the index of notes and published beliefs anew',
  details: 'Both can be deleted at any time: they are made from the notes and the log, and give the same answers.',
  options: whereOption,
  run: async (call) =>
    withMemory(call, async ({ memory }) => {
      const unreadable: string[] = []
      const onUnreadable = (key: string) => unreadable.push(key)
      await memory.reindex(Tier.LOCAL_INDEX, { onProgress: progressBar(call), onUnreadable })
      await memory.reindex(Tier.SHARED_ABSTRACTS)
      const backlog = await memory.embedPending({ limit: 1_000_000, budgetMs: 600_000 })
      const waiting =
        backlog.waiting === 0 ? [] : [`${backlog.waiting} texts wait for a vector (${backlog.failure ?? 'more to do'})`]
      const text = ['The index is built.', ...leftOut(unreadable)].join('\n')
      return { text, data: { backlog, unreadable }, notices: waiting }
      // Vectors are missing of plans, too.
    }),
}

function leftOut(unreadable: readonly string[]): readonly string[] {
  if (unreadable.length === 0) return []
  const more = unreadable.length > mostNamed ? [`  and ${unreadable.length - mostNamed} more`] : []
  return [
    `Not in it: ${unreadable.length} that cannot be read or are too large; agentm lint says why.`,
    ...unreadable.slice(0, mostNamed).map((key) => `  ${oneLine(key)}`),
    ...more,
  ]
}

const mostNamed = 20

function progressBar({ terminal, json }: Call): (done: number, total: number) => void {
  if (!terminal.isInteractive || json) return () => {}
  return (done, total) => {
    const filled = total === 0 ? 30 : Math.round((30 * done) / total)
    terminal.err(`\r[${'#'.repeat(filled)}${'.'.repeat(30 - filled)}] ${done}/${total}${done >= total ? '\n' : ''}`)
  }
}
