// @ts-check
/**
 * docs/demo.svg: the demo as a moving picture, made from its transcript in docs/tutorials/first-minute.md, which a test compares with the
 * real demo. It moves by CSS alone, because GitHub runs no script in a picture. `--write` writes it, `--check` fails when another one is there.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const docs = path.resolve(import.meta.dirname, '..', 'docs')
const picture = path.join(docs, 'demo.svg')

const columns = 104
const rows = 24
const lineHeight = 18
const margin = 20
const top = 54
const width = 840
const height = top + rows * lineHeight + margin

/** How long a reader needs, in seconds. */
const pauses = { heading: 1, command: 0.6, kill: 1.6, output: 0.06, end: 7 }
const colours = {
  text: '#c9d1d9',
  command: '#79c0ff',
  heading: '#ffffff',
  bad: '#ff7b72',
  good: '#7ee787',
  quiet: '#8b949e',
}

/** @typedef {{ readonly text: string, readonly colour: string, readonly bold: boolean, readonly at: number }} Shown `at` in seconds */

/** @param {string} page @returns {string} the transcript on it */
export function transcriptOn(page) {
  const [, transcript] = /```text\n(.*?)```/s.exec(page) ?? []
  if (transcript === undefined) throw new TypeError('docs/tutorials/first-minute.md has no ```text fence')
  return transcript.trimEnd()
}

/** @param {string} transcript */
export function demoPicture(transcript) {
  const shown = timed(transcript.split('\n'))
  const length = (shown.at(-1)?.at ?? 0) + pauses.end
  const percent = (/** @type {number} */ at) => `${((at / length) * 100).toFixed(2)}%`
  const appear = shown.map(
    ({ at }, i) => `@keyframes l${i}{0%{opacity:0}${percent(at)}{opacity:1}}#l${i}{animation-name:l${i}}`,
  )
  const scroll = shown.flatMap(({ at }, i) =>
    i < rows ? [] : [`${percent(at)}{transform:translateY(-${(i - rows + 1) * lineHeight}px)}`],
  )
  const text = shown.map(
    ({ text: line, colour, bold }, i) =>
      `<text id="l${i}" class="l" y="${i * lineHeight}" fill="${colour}"${bold ? ' font-weight="bold"' : ''}>${escaped(line)}</text>`,
  )
  const end = Math.max(0, shown.length - rows) * lineHeight
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="A terminal plays agentm demo: a note is saved and recalled, a plan is killed with kill -9 and goes on, and the trace tells what happened.">
<style>
.l{font:12.5px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre;animation:${length.toFixed(1)}s step-end infinite}
#s{animation:s ${length.toFixed(1)}s step-end infinite}
@keyframes s{0%{transform:none}${scroll.join('')}}
${appear.join('\n')}
@media (prefers-reduced-motion:reduce){.l,#s{animation:none}#s{transform:translateY(-${end}px)}}
</style>
<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>
<circle cx="22" cy="20" r="5" fill="#ff5f57"/><circle cx="40" cy="20" r="5" fill="#febc2e"/><circle cx="58" cy="20" r="5" fill="#28c840"/>
<text x="${width / 2}" y="24" text-anchor="middle" fill="${colours.quiet}" font-family="system-ui,sans-serif" font-size="12">npx @agentm/cli demo</text>
<svg x="${margin}" y="${top - lineHeight + 4}" width="${width - margin}" height="${rows * lineHeight + 4}"><g transform="translate(0 ${lineHeight - 4})"><g id="s">
${text.join('\n')}
</g></g></svg>
</svg>
`
}

/** @param {readonly string[]} lines @returns {Shown[]} */
function timed(lines) {
  let at = 0.5
  return lines.map((line) => {
    const { kind, colour } = lookOf(line)
    if (kind === 'heading' || kind === 'command' || kind === 'kill') at += 0.5
    const shown = { text: shortened(line), colour, bold: kind === 'heading', at }
    at += pauses[kind]
    return shown
  })
}

/** @param {string} line @returns {{ readonly kind: 'heading' | 'command' | 'kill' | 'output', readonly colour: string }} */
function lookOf(line) {
  if (line.startsWith('$ kill')) return { kind: 'kill', colour: colours.bad }
  if (line.startsWith('$ ')) return { kind: 'command', colour: colours.command }
  if (/^[A-Z].*:$/.test(line) && line !== 'Timeline:') return { kind: 'heading', colour: colours.heading }
  if (/\bfailed\b/.test(line) && !line.includes('failed=0')) return { kind: 'output', colour: colours.bad }
  if (/^(done|plan done|Nothing was lost)/.test(line)) return { kind: 'output', colour: colours.good }
  return { kind: 'output', colour: line.startsWith('  ') ? colours.quiet : colours.text }
}

/** @param {string} line */
function shortened(line) {
  return line.length <= columns ? line : `${line.slice(0, columns - 1)}…`
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const text = demoPicture(transcriptOn(readFileSync(path.join(docs, 'tutorials', 'first-minute.md'), 'utf8')))
  if (process.argv.includes('--write')) writeFileSync(picture, text)
  else if (!process.argv.includes('--check')) process.stdout.write(text)
  else if (readFileSync(picture, 'utf8') !== text) {
    console.error('docs/demo.svg is not what docs/tutorials/first-minute.md tells. Run: npm run docs')
    process.exitCode = 1
  }
}
