import { useMemo } from 'preact/hooks'
import { countOf } from '../pure/words.ts'
import { type DiffRow, diffRows } from './diff-rows.ts'

export interface DiffProps {
  readonly before: string
  readonly after: string
  /** What the two texts are, for whoever listens. */
  readonly label: string
}

/** What changed between two texts. Each row says by a sign what it is, and not by its colour alone. */
export function Diff({ before, after, label }: DiffProps) {
  const rows = useMemo(() => diffRows(before, after), [before, after])
  const isSame = rows.every(({ is }) => is === 'same' || is === 'folded')
  if (isSame) return <p class="meta">The texts are the same.</p>
  return (
    <div class="diff" role="group" aria-label={label} tabIndex={0}>
      {rows.map((row, i) => (
        <Row key={i} row={row} />
      ))}
    </div>
  )
}

const signs = { same: ' ', gone: '−', new: '+' } as const
const words = { same: '', gone: 'Removed: ', new: 'Added: ' } as const

function Row({ row }: { readonly row: DiffRow }) {
  if (row.is === 'folded') return <p class="diff-row is-folded">{countOf(row.lines, 'line')} unchanged</p>
  return (
    <p class={`diff-row is-${row.is}`}>
      <span class="sign" aria-hidden="true">
        {signs[row.is]}
      </span>
      <span>
        {words[row.is] !== '' && <span class="only-read">{words[row.is]}</span>}
        {row.is === 'same'
          ? row.text
          : row.parts.map(({ text, isChanged }, i) => (isChanged ? <b key={i}>{text}</b> : text))}
      </span>
    </p>
  )
}
