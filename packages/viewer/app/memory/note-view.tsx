/** One note: its text, its file as it is, and its history. */
import { useEffect } from 'preact/hooks'
import { about } from '../about.ts'
import { ApiError } from '../api.ts'
import type { NotePage, NoteVersionRow } from '../../src/contract/memory.ts'
import { useFresh } from '../fresh.ts'
import { shellWord } from '../pure/shell-word.ts'
import { confirmChange } from '../views/confirm.tsx'
import { CopyCommand } from '../views/copy-command.tsx'
import { Empty } from '../views/empty.tsx'
import { Value } from '../views/value.tsx'
import { conflictAddress, noteAddress } from './addresses.ts'
import { Diff } from './diff-view.tsx'
import { Markdown } from './markdown.tsx'
import { Refused } from './memory-view.tsx'
import { dayWords, momentWords } from './dates.ts'
import { authorWords, projectWords } from './pure/note-words.ts'

export function NoteView({ at, as }: { readonly at: string; readonly as: string }) {
  const { answer: note, error } = useFresh<NotePage>(`/api/note?at=${encodeURIComponent(at)}`)
  useEffect(() => {
    document.title = `${note?.title ?? 'Note'} · agentm`
  }, [note?.title])
  if (error instanceof ApiError && error.code !== 'UNREACHABLE' && (note === undefined || error.code === 'NOTE_ABSENT'))
    return error.code === 'NOTE_ABSENT' || error.code === 'ABSENT_NODE' ? (
      <NoSuchNote at={at} />
    ) : (
      <Refused error={error} />
    )
  if (note === undefined) return <p class="meta">Reading the note…</p>
  return (
    <article class="note">
      <Head note={note} />
      <Banners note={note} />
      <nav class="tabs" aria-label="Ways to see the note">
        {(['text', 'file', 'history'] as const).map((view) => (
          <a
            key={view}
            href={noteAddress(note.key, view === 'text' ? '' : view)}
            aria-current={view === (as === 'file' || as === 'history' ? as : 'text') ? 'page' : undefined}
          >
            {view === 'text' ? 'Text' : view === 'file' ? 'File' : 'History'}
            {view === 'history' && <span class="chip-count">{note.versions.length}</span>}
          </a>
        ))}
      </nav>
      {as === 'file' ? (
        <Value value={note.file} />
      ) : as === 'history' ? (
        <History note={note} />
      ) : (
        <Markdown text={note.text} title={note.title} />
      )}
    </article>
  )
}

function Head({ note }: { readonly note: NotePage }) {
  const { key, title, kind, project, createdAt, writtenBy, tags, alwaysLoad, now, fixed, status } = note
  return (
    <header class="note-head">
      <p class="crumbs">
        <a href="/memory">Memory</a> /{' '}
        <a href={`/memory?project=${encodeURIComponent(project)}`}>{projectWords(project)}</a> /{' '}
        <a href={`/memory?kind=${encodeURIComponent(kind)}`}>{kind}</a>
      </p>
      <h1>{title}</h1>
      <p class="meta">
        <time>{dayWords(createdAt, now)}</time>
        {writtenBy !== undefined && <span>{authorWords(writtenBy)}</span>}
        {alwaysLoad && <span>shown at the start of every session</span>}
        {tags
          .filter((tag) => !tag.startsWith('idem-'))
          .map((tag) => (
            <a key={tag} href={`/memory?tag=${encodeURIComponent(tag)}`}>
              #{tag}
            </a>
          ))}
        <code class="note-key">{key}</code>
      </p>
      <div class="head-actions">
        {about.value.canWrite && fixed === undefined && (
          <a class="button" href={noteAddress(key, 'edit')}>
            Edit
          </a>
        )}
        {about.value.canWrite && (status === 'active' || status === 'deleted') && <ForgetButton note={note} />}
        <CopyCommand words={`notes show ${shellWord(key)}`} />
      </div>
    </header>
  )
}

function ForgetButton({ note: { key, status } }: { readonly note: NotePage }) {
  const isForgotten = status === 'deleted'
  const ask = () =>
    confirmChange(
      isForgotten
        ? {
            title: 'Restore this note?',
            text: 'It becomes active again with the text that it had, and is recalled again.',
            yes: 'Restore',
            room: 'memory',
            hasNoReason: true,
            change: { do: 'restore', key },
          }
        : {
            title: 'Forget this note?',
            text: 'It is left out of every answer. You can restore it: its text stays in its file until it is permanently deleted with forget --purge.',
            yes: 'Forget note',
            isDangerous: true,
            room: 'memory',
            change: { do: 'forget', key },
          },
    )
  return (
    <button type="button" class={isForgotten ? 'button' : 'button is-danger-quiet'} onClick={ask}>
      {isForgotten ? 'Restore' : 'Forget'}
    </button>
  )
}

function Banners({ note: { status, fixed, copies, versions } }: { readonly note: NotePage }) {
  const why = versions[0]?.reason
  return (
    <>
      {status !== 'active' && (
        <p class="banner is-paused">
          {status === 'deleted'
            ? 'This note is forgotten'
            : status === 'superseded'
              ? 'This note was replaced'
              : `This note is ${status}`}
          {why === undefined ? '.' : `: ${why}`}
        </p>
      )}
      {status === 'active' && fixed !== undefined && <p class="banner">{fixed}</p>}
      {copies.map((copy) => (
        <p key={copy} class="banner is-paused">
          This note was changed in two places, and a sync program kept both texts.{' '}
          <a href={conflictAddress(copy)}>Compare them</a>
        </p>
      ))}
    </>
  )
}

function History({ note: { versions, key, now } }: { readonly note: NotePage }) {
  return (
    <section class="history" aria-label="History">
      {versions.length < 2 && (
        <p class="history-none">
          There is no earlier version. Memory keeps the old text when a note is replaced. A correction in place, and a
          change in another program, leave none behind; if a sync program or git watches this folder, it may have one.
        </p>
      )}
      <ol>
        {versions.map((version, i) => (
          <Version key={version.key} version={version} older={versions[i + 1]} newer={versions[i - 1]} now={now} />
        ))}
      </ol>
      <CopyCommand words={`history ${shellWord(key)}`} />
    </section>
  )
}

interface VersionProps {
  readonly version: NoteVersionRow
  readonly older: NoteVersionRow | undefined
  readonly newer: NoteVersionRow | undefined
  readonly now: number
}

function Version({ version, older, newer, now }: VersionProps) {
  const since =
    older?.supersededAt === undefined ? dayWords(version.createdAt, now) : momentWords(older.supersededAt, now)
  return (
    <li class="version">
      <h2>
        {newer === undefined ? 'Now' : `Until ${momentWords(version.supersededAt ?? newer.createdAt, now)}`}
        <span class="quiet"> since {since}</span>
      </h2>
      {older?.reason !== undefined && <p class="reason">Changed because: {older.reason}</p>}
      <p class="meta">
        {authorWords(version.writtenBy)}
        {older !== undefined && older.title !== version.title && <span>titled “{older.title}” before</span>}
      </p>
      {older === undefined ? (
        <details>
          <summary>{newer === undefined ? 'Its text' : 'The first text that is kept'}</summary>
          <Value value={version.text} />
        </details>
      ) : (
        <Diff before={older.text} after={version.text} label={`What changed on ${since}`} />
      )}
    </li>
  )
}

function NoSuchNote({ at }: { readonly at: string }) {
  return (
    <Empty title="There is no such note here">
      <p>
        No note of this project or among your own is at <code>{at}</code>. Notes of other projects are shown by a page
        that was started there.
      </p>
      <a class="button" href="/memory">
        Show all notes
      </a>
    </Empty>
  )
}
