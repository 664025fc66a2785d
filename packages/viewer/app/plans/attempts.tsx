/** Each attempt of a step: when it started, how long it took, how it ended, and who ran it where. */
import type { Segment, StepPage } from '../../src/contract/plans.ts'
import { shortId, spanWords } from '../pure/words.ts'
import { Part } from '../views/part.tsx'

const ends: Readonly<Partial<Record<Segment[0], string>>> = {
  running: 'running',
  'ran-done': 'done',
  'ran-failed': 'failed',
  'ran-lost': 'worker lost',
  'ran-paused': 'waited',
}

export function Attempts({ page, now }: { readonly page: StepPage; readonly now: number }) {
  const ran = page.row.segments.filter(([state]) => ends[state] !== undefined)
  if (ran.length === 0) return null
  return (
    <Part title="Attempts" count={ran.length}>
      <table class="attempts">
        <thead>
          <tr>
            <th scope="col">#</th>
            <th scope="col">Started</th>
            <th scope="col">Took</th>
            <th scope="col">Ended</th>
            <th scope="col">Worker</th>
          </tr>
        </thead>
        <tbody>
          {ran.map(([state, from, to, attempt], i) => (
            <tr key={i}>
              <td>{attempt + 1}</td>
              <td>{new Date(from).toLocaleTimeString(undefined, clock)}</td>
              <td>{spanWords((to ?? now) - from)}</td>
              <td>
                <i class={`dot bar-${state}`} aria-hidden="true" /> {ends[state]}
              </td>
              <td>{workerAt(page, from)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Part>
  )
}

const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const

/** The machine and process while they are known; later, the worker session. */
function workerAt({ changes, workers }: StepPage, at: number): string {
  const session = changes.find((change) => change.at === at && change.status === 'running')?.session
  if (session === undefined) return ''
  return workers[session] ?? shortId(session)
}
