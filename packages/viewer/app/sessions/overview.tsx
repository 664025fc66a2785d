/** The whole session at a glance: each turn is a bar, in the row of the agent or of a sub-agent. A click shows the turn. */

import type { SessionPage, TurnBar } from '../../src/contract/sessions.ts'
import { spanWords } from '../pure/words.ts'
import { dayOf, clockWords, dayWords } from './days.ts'
import { type PlacedBar, placedBars } from './pure/placed-bars.ts'
import { sessionAddress } from './session-address.ts'

const rowHeight = 20
/** Of more bars, the tab key would have to pass too many before the turns themselves. */
const mostStops = 40

export function Overview({ page, chosen }: { readonly page: SessionPage; readonly chosen: string | undefined }) {
  const { bars, session, now } = page
  if (bars.length < 2) return null
  const { placed, pauses } = placedBars(bars)
  const rows = Math.max(...bars.map(([, , , row]) => row)) + 1
  return (
    <section class="overview" aria-label="The whole session">
      <div class="overview-rows">
        {rows > 1 && (
          <div class="overview-names" aria-hidden="true">
            <span>agent</span>
            <span>sub-agents</span>
          </div>
        )}
        <div class="overview-track" style={{ height: `${rows * rowHeight}px` }}>
          {pauses.map(({ at, ms }) => (
            <span key={at} class="pause" style={{ left: `${at}%` }} title={`nothing for ${spanWords(ms)}`} />
          ))}
          {placed.map((bar, i) => (
            <Bar
              key={bar.id}
              bar={bar}
              number={i + 1}
              session={session.id}
              isChosen={bar.id === chosen}
              facts={bars[i]}
              isStop={bars.length <= mostStops}
            />
          ))}
        </div>
      </div>
      <p class="meta overview-ends">
        <span>
          {dayWords(dayOf(session.startedAt), now)}, {clockWords(session.startedAt)}
        </span>
        {pauses.length > 0 && <span>a dotted line is a long pause, drawn short</span>}
        <span>{clockWords(session.endedAt)}</span>
      </p>
    </section>
  )
}

interface BarProps {
  readonly bar: PlacedBar
  readonly number: number
  readonly session: string
  readonly isChosen: boolean
  readonly facts: TurnBar | undefined
  /** Whether the tab key stops at it. */
  readonly isStop: boolean
}

function Bar({ bar, number, session, isChosen, facts, isStop }: BarProps) {
  const [, from = 0, to = 0, row = 0, hasFailed = 0] = facts ?? []
  const words = `Turn ${number}, ${clockWords(from)}, ${spanWords(to - from)}${hasFailed === 1 ? ', a command failed' : ''}`
  return (
    <a
      href={sessionAddress(session, bar.id)}
      class={`turn-bar${row > 0 ? ' is-agent' : ''}${hasFailed === 1 ? ' has-failed' : ''}${isChosen ? ' is-chosen' : ''}`}
      style={{ left: `${bar.left}%`, width: `${bar.width}%`, top: `${row * rowHeight + 3}px` }}
      title={words}
      aria-label={words}
      aria-current={isChosen ? 'true' : undefined}
      tabIndex={isStop ? 0 : -1}
    />
  )
}
