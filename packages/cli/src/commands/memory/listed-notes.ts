/** The notes there are: which, and what one of them says. */
import type { ListedNote } from '@agentm/memory'
import { NoteAbsentError } from '@agentm/memory/errors'
import { dataNotice, oneLine, shownEntry, shownName } from '@agentm/memory/shown'
import type { Answer, Call, Command } from '../../command.ts'
import { UsageError } from '../../command.ts'
import { given, numberOption } from './number-option.ts'
import { momentOf } from './pure/moment.ts'
import { whereOption } from './where-option.ts'
import { lookingAtMemory } from './with-memory.ts'

const mostShown = 50

export const notesList: Command = {
  summary: 'the notes of this project and your own, newest first',
  details:
    'One line for each: when, whose words, what kind, its title, its place. AGE is a date, or how long ago: 12h, 30d, 2w, 6m, 1y.',
  options: {
    project: { value: 'NAME', help: 'of this project alone, or _global for what belongs to none' },
    kind: { value: 'KIND', help: 'only this kind; may be given several times', repeats: true },
    tag: { value: 'TAG', help: 'only with this tag; may be given several times', repeats: true },
    newer: { value: 'AGE', help: 'only what was made since then' },
    older: { value: 'AGE', help: 'only what was made before then' },
    status: {
      value: 'STATUS',
      help: 'instead of what is active; deleted is what agentm restore brings back',
      repeats: true,
    },
    most: { value: 'N', help: `at most so many; 0 for all (default: ${mostShown})` },
    ...whereOption,
  },
  run: async (call) => {
    const most = numberOption(call, 'most') ?? mostShown
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
  const more = rest === 0 ? [] : [`${rest} more; --most 0 lists all`]
  return { text: lines.length === 0 ? 'No notes.' : lines.join('\n'), data: { notes, total }, notices: more }
}

export const notesShow: Command = {
  takes: 'NOTE',
  summary: 'one note: what it says, whose words it is, and where it lies',
  details: 'NOTE is an id or a place, as recall and agentm notes show it. agentm history shows what it said before.',
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
      `--${name} is ${JSON.stringify(text)}. Write a date, such as 2026-11-18, or 12h, 30d, 2w, 6m, 1y.`,
    )
  return at
}

function some<T>(values: readonly T[]): readonly T[] | undefined {
  return values.length === 0 ? undefined : values
}
