import { useMemo } from 'preact/hooks'
import type { BeliefVersion } from '../../src/contract/beliefs.ts'
import { dayWords } from '../memory/dates.ts'
import { useIsNarrow } from '../views/windowed.ts'
import { changeWords } from './pure/belief-words.ts'
import { type ChartSize, confidenceLine } from './pure/confidence-line.ts'

const wide: ChartSize = { width: 640, height: 170, left: 34, right: 14, top: 14, bottom: 28 }
/** As wide as a telephone, so that its letters stay as large as they are. */
const narrow: ChartSize = { ...wide, width: 330 }

/** The confidence over time. The list of changes below says the same in words. */
export function ConfidenceChart({
  versions,
  now,
}: {
  readonly versions: readonly BeliefVersion[]
  readonly now: number
}) {
  const size = useIsNarrow() ? narrow : wide
  const { points, path, area, from, to } = useMemo(() => confidenceLine(versions, now, size), [versions, now, size])
  const last = versions.at(-1)
  const bottom = size.height - size.bottom
  return (
    <figure class="confidence">
      <svg
        viewBox={`0 0 ${size.width} ${size.height}`}
        role="img"
        aria-label={`Confidence over time: ${(last?.confidence ?? 0).toFixed(2)} at the end, after ${versions.length} changes.`}
      >
        {[0, 0.5, 1].map((value) => {
          const y = size.top + (bottom - size.top) * (1 - value)
          return (
            <g key={value} class="grid">
              <line x1={size.left} x2={size.width - size.right} y1={y} y2={y} />
              <text x={size.left - 8} y={y + 4} text-anchor="end">
                {value}
              </text>
            </g>
          )
        })}
        <path class="area" d={area} />
        <path class="line" d={path} />
        {points.map(({ x, y, version }) => (
          <circle key={version.version} class={`point is-${version.what.replaceAll(' ', '-')}`} cx={x} cy={y} r="5">
            <title>{`${dayWords(version.at, now)}: ${changeWords(version)}, ${version.confidence.toFixed(2)}`}</title>
          </circle>
        ))}
        <text class="date" x={size.left} y={size.height - 8}>
          {dayWords(from, now)}
        </text>
        <text class="date" x={size.width - size.right} y={size.height - 8} text-anchor="end">
          {to >= now ? 'now' : dayWords(to, now)}
        </text>
      </svg>
    </figure>
  )
}
