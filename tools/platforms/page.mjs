// @ts-check
/** The transcripts in docs/reference/platforms.md: each is the one fence below the heading `## The first minute on NAME`. */

/** @param {string} page @param {string} name @returns {string | undefined} */
export function transcriptIn(page, name) {
  return fenceBelow(page, name)?.text
}

/** The page with another transcript. @param {string} page @param {string} name @param {string} transcript */
export function withTranscript(page, name, transcript) {
  const fence = fenceBelow(page, name)
  if (fence === undefined)
    throw new TypeError(`docs/reference/platforms.md has no "## The first minute on ${name}" with a \`\`\`text fence`)
  return page.slice(0, fence.start) + transcript + page.slice(fence.start + fence.text.length)
}

/** Where two texts part: the first line of each that the other has not. @param {string} actual @param {string} expected */
export function firstDifference(actual, expected) {
  const [ours, theirs] = [actual.split('\n'), expected.split('\n')]
  const at = ours.findIndex((line, i) => line !== theirs[i])
  if (at < 0)
    return theirs.length > ours.length ? `line ${ours.length + 1} is missing: ${theirs[ours.length]}` : undefined
  return `line ${at + 1} is\n  ${ours[at]}\nand docs/reference/platforms.md says\n  ${theirs[at] ?? '(nothing)'}`
}

/** @param {string} page @param {string} name */
function fenceBelow(page, name) {
  const heading = page.indexOf(`## The first minute on ${name}\n`)
  if (heading < 0) return undefined
  const end = page.indexOf('\n## ', heading + 1)
  const open = page.indexOf('```text\n', heading)
  if (open < 0 || (end > 0 && open > end)) return undefined
  const start = open + '```text\n'.length
  return { start, text: page.slice(start, page.indexOf('```', start)) }
}
