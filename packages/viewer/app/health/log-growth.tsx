import type { LogFacts } from '../../src/contract/health.ts'
import { countOf } from '../pure/words.ts'
import { CopyCommand } from '../views/copy-command.tsx'
import { sizeWords } from './pure/size-words.ts'

/** How large the log is, and how much was written on each of the last days. */
export function LogGrowth({ log }: { readonly log: LogFacts }) {
  const { place, bytes, versions, nodes, texts, days } = log
  const most = Math.max(1, ...days.map((day) => day.versions))
  const recent = days.reduce((sum, day) => sum + day.versions, 0)
  // An estimate: versions differ in size.
  const perDay = versions === 0 ? 0 : (bytes / versions) * (recent / Math.max(1, days.length))
  return (
    <section class="card" aria-labelledby="log-title">
      <h2 id="log-title">
        Log <span class="chip-count">{sizeWords(bytes)}</span>
      </h2>
      <p class="meta">
        <span>{countOf(versions, 'version')}</span>
        <span>{countOf(nodes, 'node')}</span>
        <span>{countOf(texts, 'searchable text')}</span>
      </p>
      <figure class="growth">
        <ol aria-label={`Versions written on each of the last ${days.length} days`}>
          {days.map(({ from, versions: written }) => (
            <li key={from} title={`${dateWords(from)}: ${countOf(written, 'version')}`}>
              <i style={{ height: `${written === 0 ? 0 : Math.max(4, (100 * written) / most)}%` }} aria-hidden="true" />
              <span class="only-read">
                {dateWords(from)}: {countOf(written, 'version')}
              </span>
            </li>
          ))}
        </ol>
        <figcaption class="meta">
          <span>{dateWords(days[0]?.from ?? 0)}</span>
          <span>{perDay < 1 ? 'it does not grow' : `grows by about ${sizeWords(perDay)} a day`}</span>
          <span>today</span>
        </figcaption>
      </figure>
      <p class="log-place">
        <code>{place}</code>
      </p>
      <div class="help-line">
        <span>See what could be removed:</span>
        <CopyCommand words="log prune --older-than '90 days' --dry-run" label="To see what could be removed" />
      </div>
    </section>
  )
}

function dateWords(at: number): string {
  return new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })
}
