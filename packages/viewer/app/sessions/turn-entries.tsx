/** Everything the agent recorded in a turn, read from its own file when somebody asks for it. */
import { useEffect, useState } from 'preact/hooks'
import type { EntryRow, TurnEntries } from '../../src/contract/sessions.ts'
import { ask } from '../api.ts'
import { countOf } from '../pure/words.ts'
import { Icon, type IconName } from '../views/icons.tsx'
import { Value } from '../views/value.tsx'
import { clockWords } from './days.ts'

interface PartProps {
  readonly session: string
  readonly turn: string
  readonly number: number
}

export function TurnEntriesPart({ session, turn, number }: PartProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="entries" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        Everything in this turn<span class="only-read"> ({number})</span>
      </summary>
      {isOpen && <Entries session={session} turn={turn} />}
    </details>
  )
}

function Entries({ session, turn }: Omit<PartProps, 'number'>) {
  const [found, set] = useState<TurnEntries | Error | undefined>(undefined)
  useEffect(() => {
    const end = new AbortController()
    const address = `/api/sessions/${encodeURIComponent(session)}/entries?turn=${encodeURIComponent(turn)}`
    ask<TurnEntries>(address, end.signal).then(set, (error: unknown) => {
      if (!end.signal.aborted) set(error instanceof Error ? error : new Error(String(error)))
    })
    return () => end.abort()
  }, [session, turn])
  if (found === undefined) return <p class="meta">Reading the file of the agent…</p>
  if (found instanceof Error) return <p class="is-failed">{found.message}</p>
  if (!found.isHere)
    return <p class="meta">The agent no longer keeps this session on this machine. What is above is what was kept.</p>
  return (
    <>
      <ol class="entry-list">
        {found.entries.map((entry, i) => (
          <Entry key={i} entry={entry} />
        ))}
      </ol>
      {found.isCut && <p class="meta">Only the first {countOf(found.entries.length, 'entry', 'entries')} are shown.</p>}
    </>
  )
}

const names: Readonly<Record<EntryRow['what'], string>> = {
  prompt: 'Prompt',
  context: 'Added by the host',
  reply: 'Answer',
  thought: 'Thought',
  call: 'Tool',
  error: 'Error',
  compaction: 'The conversation was compacted',
  rewind: 'Entries were taken back',
  usage: 'Usage',
  unknown: 'A record that this version does not know',
}

const icons: Readonly<Partial<Record<EntryRow['what'], IconName>>> = {
  prompt: 'right',
  reply: 'left',
  error: 'failed',
  compaction: 'fit',
  rewind: 'left',
  thought: 'pending',
  call: 'running',
}

function Entry({ entry }: { readonly entry: EntryRow }) {
  const { what, at, text, tool, input, result, hasFailed, agent } = entry
  const icon = what === 'call' ? (hasFailed === true ? 'failed' : 'done') : (icons[what] ?? 'pending')
  return (
    <li class={`entry is-${what}${hasFailed === true ? ' has-failed' : ''}`}>
      <Icon name={icon} />
      <div class="entry-body">
        <p class="entry-head">
          <b>{names[what]}</b>
          {tool !== undefined && <code>{tool}</code>}
          {agent !== undefined && <span class="tag">sub-agent</span>}
          {hasFailed === true && <span class="is-failed">failed</span>}
          {at !== undefined && <time dateTime={new Date(at).toISOString()}>{clockWords(at)}</time>}
        </p>
        {text !== '' &&
          (what === 'context' || what === 'compaction' ? <Folded text={text} /> : <p class="entry-text">{text}</p>)}
        {input !== undefined && <Value value={onlyText(input)} />}
        {result !== undefined && result !== '' && (
          <details>
            <summary>Result</summary>
            <Value value={result} />
          </details>
        )}
      </div>
    </li>
  )
}

/** A tool that takes one text is shown with it, and not with the JSON around it. */
function onlyText(input: unknown): unknown {
  const values = typeof input === 'object' && input !== null ? Object.values(input) : []
  const [only] = values
  return values.length === 1 && typeof only === 'string' ? only : input
}

/** Long texts that nobody wrote by hand. */
function Folded({ text }: { readonly text: string }) {
  return (
    <details>
      <summary>Show</summary>
      <p class="entry-text">{text}</p>
    </details>
  )
}
