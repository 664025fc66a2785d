/** One turn: what was asked, what was run and changed, how it ended. Every text is shown as text. */
import { memo } from 'preact/compat'
import { useState } from 'preact/hooks'
import type { RanCommand, TurnRow } from '../../src/contract/sessions.ts'
import { countOf, countWords, spanWords } from '../pure/words.ts'
import { Icon } from '../views/icons.tsx'
import { clockWords } from './days.ts'
import { sessionAddress } from './session-address.ts'
import { TurnEntriesPart } from './turn-entries.tsx'

interface TurnCardProps {
  readonly session: string
  readonly turn: TurnRow
  readonly isChosen: boolean
}

export const TurnCard = memo(({ session, turn, isChosen }: TurnCardProps) => {
  const { id, number, at, endedAt, agent, task, asked, done, tokens, isOpen } = turn
  return (
    <li id={`turn-${id}`} class={`turn${agent === undefined ? '' : ' is-agent'}${isChosen ? ' is-chosen' : ''}`}>
      <p class="turn-when">
        <a href={sessionAddress(session, id)} title="The address of this turn">
          <time dateTime={new Date(at).toISOString()}>{clockWords(at)}</time>
        </a>
        <span>{isOpen ? 'goes on' : spanWords(endedAt - at)}</span>
        {tokens !== undefined && <span>{shortCount(tokens.input + tokens.output)} tokens</span>}
      </p>
      <div class="turn-body">
        {agent === undefined ? (
          <blockquote class="prompt">{asked === '' ? '(no text)' : asked}</blockquote>
        ) : (
          <div class="task">
            <span class="tag">sub-agent</span> <span>{task ?? agent}</span>
          </div>
        )}
        <Did turn={turn} />
        {done !== undefined && <p class="reply">{done}</p>}
        <Lists turn={turn} />
        <TurnEntriesPart session={session} turn={id} number={number} />
      </div>
    </li>
  )
})

/** Such as `23 k`: the margin is narrow. */
function shortCount(count: number): string {
  return count < 1_000 ? `${count}` : count < 999_500 ? `${Math.round(count / 1_000)} k` : countWords(count)
}

function Did({ turn }: { readonly turn: TurnRow }) {
  const { commands, files, errors } = turn
  if (commands.length + files.length + errors.length === 0) return null
  const failed = commands.filter((command) => command.failed)
  return (
    <div class="did">
      {failed.slice(0, 3).map((command, i) => (
        <Command key={i} ran={command} />
      ))}
      {errors.map((error, i) => (
        <p key={i} class="turn-error">
          <Icon name="failed" />
          <span>{error}</span>
        </p>
      ))}
      {commands.length > 0 && <Commands all={commands} />}
      {files.length > 0 && <Files files={files} />}
    </div>
  )
}

function Commands({ all }: { readonly all: readonly RanCommand[] }) {
  const failed = all.filter((command) => command.failed).length
  return (
    <details>
      <summary>
        ran {countOf(all.length, 'command')}
        {failed > 0 && <span class="is-failed">, {countWords(failed)} failed</span>}
      </summary>
      <div class="did-list">
        {all.map((command, i) => (
          <Command key={i} ran={command} />
        ))}
      </div>
    </details>
  )
}

function Command({ ran: { command, failed, exitCode, error } }: { readonly ran: RanCommand }) {
  return (
    <div class={failed ? 'ran has-failed' : 'ran'}>
      <Icon name={failed ? 'failed' : 'done'} />
      <div>
        <code>{command}</code>
        {failed && (
          <p class="ran-error">
            {error ?? 'failed'}
            {exitCode !== undefined && ` (exit code ${exitCode})`}
          </p>
        )}
        {!failed && <span class="only-read">, passed</span>}
      </div>
    </div>
  )
}

const shownFiles = 12

function Files({ files }: { readonly files: TurnRow['files'] }) {
  const [isAll, setAll] = useState(false)
  // What was changed says more than what was read.
  const ordered = files.toSorted((a, b) => Number(b.how === 'write') - Number(a.how === 'write'))
  const shown = isAll ? ordered : ordered.slice(0, shownFiles)
  return (
    <ul class="files" aria-label="Files">
      {shown.map(({ file, how }) => (
        <li key={file} class={how === 'write' ? 'is-written' : ''} title={how === 'write' ? 'changed' : 'read'}>
          <span class="only-read">{how === 'write' ? 'changed ' : 'read '}</span>
          {file}
        </li>
      ))}
      {ordered.length > shown.length && (
        <li class="is-more">
          <button type="button" onClick={() => setAll(true)}>
            {countWords(ordered.length - shown.length)} more
          </button>
        </li>
      )}
    </ul>
  )
}

function Lists({ turn: { decisions, fixes, open } }: { readonly turn: TurnRow }) {
  return (
    <>
      {fixes.map(({ command, error, by }, i) => (
        <p key={i} class="finding is-fix">
          <b>Fixed</b> <code>{command}</code>: {error} <span class="quiet">by {by.join(', ')}</span>
        </p>
      ))}
      {decisions.map(({ text, by }, i) => (
        <p key={i} class="finding">
          <b>{by === 'person' ? 'You decided' : 'Decided'}</b> {text}
        </p>
      ))}
      {open.length > 0 && (
        <details>
          <summary>{countWords(open.length)} left to do</summary>
          <ul class="todo">
            {open.map((item, i) => (
              <li key={i}>{item}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
