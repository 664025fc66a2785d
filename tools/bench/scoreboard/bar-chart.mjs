// @ts-check
/**
 * Horizontal bars in groups, as SVG. Each group has its own scale, because groups have their own units. The colours hold
 * in light and in dark mode, and the background is whatever the page has.
 */

/** @typedef {{ readonly name: string, readonly value: number, readonly shown: string, readonly ours?: boolean }} Bar */
/** @typedef {{ readonly label: string, readonly bars: readonly Bar[], readonly most?: number }} Group */

const width = 720
const left = 240
const right = 120
const barHeight = 16
const gap = 4
const groupGap = 14

/** @param {{ title: string, says: string, groups: readonly Group[] }} chart */
export function barChart({ title, says, groups }) {
  let y = 58
  const drawn = groups.map((group) => {
    const top = y
    y += 18 + group.bars.length * (barHeight + gap) + groupGap
    return groupOf(group, top)
  })
  const height = y
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<style>
text { font: 12px system-ui, sans-serif; fill: #24292f; }
.title { font-size: 15px; font-weight: 600; }
.label { font-weight: 600; }
.quiet { fill: #57606a; }
.ours { fill: #0969da; }
.other { fill: #afb8c1; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; }
.quiet { fill: #8b949e; }
.ours { fill: #4493f8; }
.other { fill: #545d68; }
}
</style>
<text class="title" x="8" y="22">${escaped(title)}</text>
<text class="quiet" x="8" y="42">${escaped(says)}</text>
${drawn.join('\n')}
</svg>
`
}

/** @param {Group} group @param {number} top */
function groupOf({ label, bars, most = Math.max(...bars.map(({ value }) => value)) }, top) {
  const rows = bars.map(({ name, value, shown, ours = false }, i) => {
    const y = top + 18 + i * (barHeight + gap)
    const long = Math.max(1, Math.round(((width - left - right) * value) / most))
    return `<text x="${left - 8}" y="${y + 12}" text-anchor="end">${escaped(name)}</text>
<rect class="${ours ? 'ours' : 'other'}" x="${left}" y="${y}" width="${long}" height="${barHeight}" rx="2"/>
<text class="${ours ? 'label' : 'quiet'}" x="${left + long + 6}" y="${y + 12}">${escaped(shown)}</text>`
  })
  return [`<text class="label" x="8" y="${top + 10}">${escaped(label)}</text>`, ...rows].join('\n')
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
