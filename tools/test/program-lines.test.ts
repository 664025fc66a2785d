/** The lines of programs, as the comparison of durable functions counts them. */
import { expect, it } from 'vitest'
import { countLines, linesOf } from '../bench/functions/lines.mjs'
import { orderSaga, rollout, subscription } from '../bench/functions/programs.mjs'

it('counts lines of code, and no comments or blank lines', () => {
  const source = `// a comment
/** A longer
 *  comment. */
import { a } from 'b' // counted

/** @param {string} x */
export function c(x) {

  return [
    x, /* inside */
  ]
}
`
  expect(countLines(source)).toBe(6)
})

it('counts each line of a text that goes over several', () => {
  expect(countLines('const a = `one\n\nthree`\n')).toBe(3)
  expect(countLines("const a = '// no comment'\n")).toBe(1)
  expect(countLines('')).toBe(0)
})

it('finds our programs shorter than those for other engines', async () => {
  for (const { file } of [orderSaga, rollout, subscription]) {
    const [ours, ...others] = await Promise.all(
      (['ours', 'dbos', 'openworkflow'] as const).map(async (engine) => linesOf(engine, file)),
    )
    for (const other of others) expect(ours).toBeLessThan(other ?? 0)
  }
})
