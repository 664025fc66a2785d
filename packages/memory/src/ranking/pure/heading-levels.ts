/**
 * Which passages of a note are Markdown headings. The passages below a heading are about what it says, even if they do not repeat it.
 */
import type { Passage } from './passages.ts'

/** The level of each passage that is a heading, 1 to 6, and 0 for every other one. A line of code such as `# install` is no heading. */
export function headingLevels(text: string, passages: readonly Passage[]): readonly number[] {
  let fence: string | undefined
  return passages.map(({ start, end }) => {
    const line = text.slice(start, end)
    const mark = fenceMark.exec(line)?.[1]
    if (fence === undefined) fence = mark
    else if (mark?.startsWith(fence) === true) fence = undefined
    return fence === undefined ? (heading.exec(line)?.[1]?.length ?? 0) : 0
  })
}

const fenceMark = /^\s*(`{3,}|~{3,})/
const heading = /^ {0,3}(#{1,6})(?=[ \t])/
