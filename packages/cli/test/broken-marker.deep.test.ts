import { describe, expect, it } from 'vitest'
import { brokenWorld, degraded, markers, refused, saysSo } from './broken-marker.ts'

describe.each(markers)('a marker that is %s', (marker) => {
  it('is named by every command that needs the store, and never as a fault of ours', async () => {
    const world = await brokenWorld(marker)
    const answers = []
    for (const args of refused) {
      const { code, out, err } = await world.agentm(args, '# Plan\n')
      const isNamed = saysSo[marker].test(out + err) && !/INTERNAL|at .*\.[jt]s:\d/.test(err)
      answers.push([args.join(' '), code, isNamed ? 'named' : out + err])
    }
    expect(answers).toEqual(refused.map((args) => [args.join(' '), 1, 'named']))
  })

  it('does not keep commands that only show from answering', async () => {
    const world = await brokenWorld(marker)
    for (const args of degraded) {
      const { code, err } = await world.agentm(args, '{"prompt": "which colour has the door"}')
      expect({ args, code, err }).toMatchObject({ args, code: 0 })
      expect(err).not.toMatch(/INTERNAL/)
    }
  })
})
