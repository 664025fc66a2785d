/** Conflict copies: a sync program makes one when a file was changed in two places. The page shows both; a person decides. */
import { useEffect } from 'preact/hooks'
import type { ConflictList, ConflictPage } from '../../src/contract/memory.ts'
import { useFresh } from '../fresh.ts'
import { countOf } from '../pure/words.ts'
import { CopyCommand } from '../views/copy-command.tsx'
import { Empty } from '../views/empty.tsx'
import { Value } from '../views/value.tsx'
import { conflictAddress, noteAddress } from './addresses.ts'
import { Diff } from './diff-view.tsx'
import { Refused } from './memory-view.tsx'

export function ConflictsView() {
  const { answer, error } = useFresh<ConflictList>('/api/conflicts')
  useEffect(() => {
    document.title = 'Conflict copies · agentm'
  }, [])
  if (error !== undefined && answer === undefined) return <Refused error={error} />
  if (answer === undefined) return <p class="meta">Looking for copies…</p>
  const { pairs } = answer
  if (pairs.length === 0)
    return (
      <Empty title="No conflict copies">
        <p>
          If two devices change one note before they have synced, the sync program keeps both texts. They appear here.
        </p>
        <a class="button" href="/memory">
          Show all notes
        </a>
      </Empty>
    )
  return (
    <>
      <p class="crumbs">
        <a href="/memory">Memory</a> /
      </p>
      <div class="page-head">
        <h1>Conflict copies</h1>
        <CopyCommand words="conflicts" />
      </div>
      <p class="lead">
        {countOf(pairs.length, 'file was', 'files were')} changed in two places. Recall leaves the copies out. Compare
        each pair, move what is right into the original, then delete the copy.
      </p>
      <ul class="pairs">
        {pairs.map(({ copy, of }) => (
          <li key={copy}>
            <a href={conflictAddress(copy)}>{copy}</a>
            <p class="meta">is a copy of {of}</p>
          </li>
        ))}
      </ul>
    </>
  )
}

export function ConflictView({ copy }: { readonly copy: string }) {
  const { answer, error } = useFresh<ConflictPage>(`/api/conflict?copy=${encodeURIComponent(copy)}`)
  useEffect(() => {
    document.title = 'Two versions · agentm'
  }, [])
  if (error !== undefined)
    return (
      <Empty title="This is no conflict copy any more">
        <p>
          <code>{copy}</code> was moved, deleted or renamed.
        </p>
        <a class="button" href="/memory/conflicts">
          Show all conflict copies
        </a>
      </Empty>
    )
  if (answer === undefined) return <p class="meta">Reading both…</p>
  const { of, originalText, copyText } = answer
  return (
    <article class="conflict">
      <p class="crumbs">
        <a href="/memory">Memory</a> / <a href="/memory/conflicts">Conflict copies</a> /
      </p>
      <h1>{of.slice(of.lastIndexOf('/') + 1)}, twice</h1>
      <p class="lead">
        Move what is right into the original, for example by editing <a href={noteAddress(of)}>the note</a>. Then delete
        the copy in your file manager: no command of agentm deletes it.
      </p>
      <h2>What the copy changes</h2>
      {originalText === undefined || copyText === undefined ? (
        <p class="banner">One of the two cannot be read now.</p>
      ) : (
        <Diff before={originalText} after={copyText} label="From the original to the copy" />
      )}
      <div class="sides">
        <Side title="The original" at={of} text={originalText} />
        <Side title="The copy" at={copy} text={copyText} />
      </div>
      <CopyCommand words="conflicts" />
    </article>
  )
}

function Side({ title, at, text }: { readonly title: string; readonly at: string; readonly text: string | undefined }) {
  return (
    <section class="side">
      <h2>{title}</h2>
      <p class="meta">
        <code class="note-key">{at}</code>
      </p>
      {text === undefined ? <p class="quiet">It is not there, or cannot be read now.</p> : <Value value={text} />}
    </section>
  )
}
