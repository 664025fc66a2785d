import { checkCaptureRequest, type Memory, NoteAbsentError } from '@agentm/memory'
import { Tier } from '@agentm/storage-seam'
import { logConcepts, type OpenedMemory } from '@agentm/workspace'
import type { Answer, Call, Command } from '../../command.ts'
import { noteText } from './note-text.ts'
import { given, numberOption } from './number-option.ts'
import { whereOption } from './where-option.ts'
import { lookingAtMemory, withMemory } from './with-memory.ts'

export const capture: Command = {
  takes: '[TEXT...]',
  summary: 'put a candidate into the inbox, for a person to look at',
  details: 'It is never recalled and never followed. Secrets in it are replaced before it is written.',
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
      const redacted = captured.redacted.length === 0 ? '' : `; replaced: ${captured.redacted.join(', ')}`
      return { text: `${captured.outcome}: ${captured.key}${redacted}`, data: captured }
    })
  },
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
    'It is marked, kept out of every answer, and stays where you can look at it. With --purge its text is erased; its place and name stay.',
  options: {
    reason: { value: 'TEXT', help: 'why' },
    purge: { help: 'erase the text: note, archived versions, index, vectors' },
    ...whereOption,
  },
  run: async (call) =>
    ofNote(call, async ({ memory }) => {
      const [note = ''] = call.args
      const done = await memory.forget(note, { purge: call.has('purge'), ...given('reason', call.get('reason')) })
      const what = done.purged ? 'erased' : done.alreadyForgotten ? 'forgotten before' : 'forgotten'
      const left = done.leftBehind.map((key) => `this conflict copy still holds the text: ${key}`)
      return { text: `${what}: ${done.key ?? done.id}`, data: done, notices: left }
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
      const done = await memory.supersede(note, {
        text,
        reason: call.get('reason') ?? '',
        ...given('title', call.get('title')),
        ...given('slug', call.get('slug')),
      })
      return { text: `${done.key}\n  the old version is kept at ${done.archive}`, data: done }
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
    .map(({ key, status, createdAt, reason, text: body }) => {
      const day = createdAt === 0 ? 'no date' : new Date(createdAt).toISOString().slice(0, 10)
      const head = `${day}  ${status}  ${key}`
      return [
        head,
        ...(reason === undefined ? [] : [`  because: ${reason}`]),
        body.replaceAll(/^/gm, '  ').trimEnd(),
      ].join('\n')
    })
    .join('\n\n')
  return { text, data: { versions } }
}

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
    ({ severity, key, message, suggestion }) => `${severity} ${key}: ${message}\n  ${suggestion}`,
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
    withMemory(
      call,
      async ({ memory }) => {
        const unreadable: string[] = []
        const onUnreadable = (key: string) => unreadable.push(key)
        await memory.reindex(Tier.LOCAL_INDEX, { onProgress: progressBar(call), onUnreadable })
        await memory.reindex(Tier.SHARED_ABSTRACTS)
        const backlog = await memory.embedPending({ limit: 1_000_000, budgetMs: 600_000 })
        const waiting =
          backlog.waiting === 0
            ? []
            : [`${backlog.waiting} texts wait for a vector (${backlog.failure ?? 'more to do'})`]
        const text = ['The index is built.', ...leftOut(unreadable)].join('\n')
        return { text, data: { backlog, unreadable }, notices: waiting }
        // Vectors are missing of plans, too.
      },
      logConcepts,
    ),
}

function leftOut(unreadable: readonly string[]): readonly string[] {
  if (unreadable.length === 0) return []
  const more = unreadable.length > mostNamed ? [`  and ${unreadable.length - mostNamed} more`] : []
  return [
    `Not in it: ${unreadable.length} that cannot be read or are too large; agentm lint says why.`,
    ...unreadable.slice(0, mostNamed).map((key) => `  ${key}`),
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
