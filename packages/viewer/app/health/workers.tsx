import type { HealthPage, WorkerRow } from '../../src/contract/health.ts'
import { useNow } from '../clock.ts'
import { countOf, countWords } from '../pure/words.ts'
import { CopyCommand } from '../views/copy-command.tsx'
import { standingWords } from './pure/standing-words.ts'

/** The processes that run steps, and those that died not long ago. */
export function Workers({ page }: { readonly page: HealthPage }) {
  const now = useNow()
  const serving = page.workers.filter(({ kinds }) => kinds.length > 0)
  const alive = serving.filter(({ isAlive }) => isAlive)
  return (
    <section class="card" aria-labelledby="workers-title">
      <h2 id="workers-title">
        Workers <span class="chip-count">{countWords(alive.length)} alive</span>
      </h2>
      {alive.length === 0 && (
        <div class="help-line">
          <span>{page.steps.ready.count > 0 ? 'Steps are ready, and nobody runs them' : 'Nobody runs steps now'}</span>
          <CopyCommand words="worker" label="To start a worker" />
        </div>
      )}
      <ul class="workers">
        {serving.slice(0, 20).map((worker) => (
          <Worker key={worker.session} worker={worker} now={now} />
        ))}
      </ul>
      {serving.length > 20 && <p class="meta">and {countOf(serving.length - 20, 'more process', 'more processes')}</p>}
    </section>
  )
}

function Worker({ worker, now }: { readonly worker: WorkerRow; readonly now: number }) {
  const { host, pid, isAlive, kinds, isOurs } = worker
  return (
    <li class={isAlive ? 'worker' : 'worker is-gone'}>
      <i class={isAlive ? 'dot is-done' : 'dot'} aria-hidden="true" />
      <div>
        <p>
          {host} <span class="quiet">process {pid}</span>
        </p>
        <p class="meta">
          <span>{standingWords(worker, now)}</span>
          {!isOurs && <span>for another owner</span>}
          <span>{kinds.join(', ')}</span>
        </p>
      </div>
    </li>
  )
}
