import { type Checkpoint, createEffectLog, type EffectLog } from '@agentm/agent-loop'
import { expect, it } from 'vitest'
import { tidyUp } from '../src/tidy-up.ts'

function shelf() {
  return { files: new Set(['a.md', 'b.tmp', 'c.tmp']), removals: [] as string[] }
}

it('removes what is temporary and says what it kept', async () => {
  const mine = shelf()
  expect(await tidyUp(mine)).toEqual({ ok: true, text: 'Kept: a.md.' })
  expect(mine.removals).toEqual(['b.tmp', 'c.tmp'])
})

it('goes on after it died between an effect and its record, and removes nothing twice', async () => {
  const mine = shelf()
  const effects = createEffectLog()
  const dying: EffectLog = {
    ...effects,
    succeed: async () => {
      throw new Error('the power went off')
    },
  }
  const saved: Checkpoint[] = []
  const save = async (checkpoint: Checkpoint): Promise<void> => {
    saved.push(checkpoint)
  }
  await expect(tidyUp(mine, { effects: dying, save })).rejects.toThrow('the power went off')
  const from = saved.at(-1)
  expect(await tidyUp(mine, { effects, ...(from !== undefined && { from }) })).toEqual({
    ok: true,
    text: 'Kept: a.md.',
  })
  expect(mine.removals).toEqual(['b.tmp', 'c.tmp'])
})
