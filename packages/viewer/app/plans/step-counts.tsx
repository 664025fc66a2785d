/** How many steps of a plan stand where: one bar, and the words for it. */
import { countOf } from '../pure/words.ts'

const order = ['done', 'running', 'failed', 'blocked', 'ready', 'pending'] as const

export function StepCounts({ steps }: { readonly steps: Readonly<Record<string, number>> }) {
  const total = Object.values(steps).reduce((sum, count) => sum + count, 0)
  const words = order.flatMap((status) => ((steps[status] ?? 0) > 0 ? [`${steps[status]} ${status}`] : [])).join(', ')
  return (
    <span class="counts" title={words}>
      <span class="bar" role="img" aria-label={`${countOf(total, 'step')}: ${words || 'none'}`}>
        {order.map((status) => {
          const share = total === 0 ? 0 : (100 * (steps[status] ?? 0)) / total
          return share > 0 && <i key={status} class={`is-${status}`} style={{ width: `${share}%` }} />
        })}
      </span>
      <span class="counts-words" aria-hidden="true">
        {(steps['done'] ?? 0).toLocaleString('en')}
        <span class="quiet"> / {total.toLocaleString('en')}</span>
      </span>
    </span>
  )
}
