/** Lists notes, and shows one of them. */
import type { ListedNote } from '@agentm/memory'
import { NoteAbsentError } from '@agentm/memory/errors'
import { dataNotice, oneLine, shownEntry, shownName } from '@agentm/memory/shown'
import type { Answer, Call, Command } from '../../command.ts'
import { UsageError } from '../../command.ts'
import { countOption, given } from '../number-options.ts'
import { momentOf } from './pure/moment.ts'
import { whereOption } from './where-option.ts'
import { lookingAtMemory } from './with-memory.ts'

const mostShown = 50

export const notesList: Command = {
  summary: 'list the notes of this project and your personal notes, newest first',
  details:
    'Each line shows the date, the author, the kind, the title and the place of a note. AGE is a date such as 2026-11-18, or a time span: 12h, 30d, 2w, 6m, 1y.',
  options: {
    project: {
      value: 'NAME',
      help: 'the project of this directory, or _global for notes that belong to none (default: both); other projects are refused',
    },
    kind: { value: 'KIND', help: 'only notes of this kind; may be given several times', repeats: true },
    tag: { value: 'TAG', help: 'only notes with this tag; may be given several times', repeats: true },
    newer: { value: 'AGE', help: 'only notes created since then' },
    older: { value: 'AGE', help: 'only notes created before then' },
    status: {
      value: 'STATUS',
      help: 'only notes of this status (default: active; deleted ones can be restored); may be given several times',
      repeats: true,
    },
    most: { value: 'N', help: `how many notes to list; 0 for all (default: ${mostShown})` },
    ...whereOption,
  },
  run: async (call) => {
    const most = countOption(call, 'most') ?? mostShown
    const request = {
      ...given('project', call.get('project')),
      ...given('kinds', some(call.all('kind'))),
      ...given('tags', some(call.all('tag'))),
      ...given('status', some(call.all('status'))),
      ...given('from', momentIn(call, 'newer')),
      ...given('to', momentIn(call, 'older')),
    }
    const found = await lookingAtMemory(
      call,
      ({ memory }) => memory.notes(request),
      () => [],
    )
    const inOrder = found.toSorted((a, b) => b.createdAt - a.createdAt || (a.key < b.key ? -1 : 1))
    const notes = most > 0 ? inOrder.slice(0, most) : inOrder
    return answerOf(notes, found.length)
  },
}

function answerOf(notes: readonly ListedNote[], total: number): Answer {
  const lines = notes.map((note) => shownName({ ...note, of: 'note' }, ...tagsOf(note)))
  const rest = total - notes.length
  const more = rest === 0 ? [] : [`${rest} more notes are not shown. To list all: --most 0`]
  return { text: lines.length === 0 ? 'There are no notes.' : lines.join('\n'), data: { notes, total }, notices: more }
}

export const notesShow: Command = {
  takes: 'NOTE',
  summary: 'show one note: its text, its author and its place',
  details:
    'NOTE is an id or a place, as agentm recall and agentm notes print it. agentm history shows former versions.',
  options: whereOption,
  run: async (call) => {
    const [wanted = ''] = call.args
    const [note] = await lookingAtMemory(
      call,
      ({ memory }) => memory.history(wanted),
      () => [],
    )
    if (note === undefined) throw new NoteAbsentError(wanted)
    const status = note.status === 'active' ? [] : [oneLine(note.status)]
    const head = { ...note, of: 'note', id: note.key } as const
    return { text: `${dataNotice}\n\n${shownEntry(head, ...status, ...tagsOf(note))}`, data: note }
  },
}

function tagsOf({ tags }: { readonly tags: readonly string[] }): readonly string[] {
  return tags.length === 0 ? [] : [tags.map((tag) => `#${oneLine(tag)}`).join(' ')]
}

function momentIn(call: Call, name: string): number | undefined {
  const text = call.get(name)
  if (text === undefined) return undefined
  const at = momentOf(text, Date.now())
  if (at === undefined)
    throw new UsageError(
      `--${name} does not accept ${JSON.stringify(text)}. Use a date, such as 2026-11-18, or a time span such as 12h, 30d, 2w, 6m or 1y.`,
    )
  return at
}

function some<T>(values: readonly T[]): readonly T[] | undefined {
  return values.length === 0 ? undefined : values
}
