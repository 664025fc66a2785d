import { expect, it } from 'vitest'
import { brokenWorld, saysSo } from './broken-marker.ts'

it.each(['truncated', 'foreign', 'absent'] as const)(
  'a marker that is %s is named by save, recall and doctor',
  async (marker) => {
    const world = await brokenWorld(marker)
    for (const args of [['save', 'More to say.'], ['recall', 'door'], ['doctor']]) {
      const { code, out, err } = await world.agentm(args)
      expect({ args, code, said: out + err }).toEqual({
        args,
        code: 1,
        said: expect.stringMatching(saysSo[marker]) as unknown,
      })
      expect(err).not.toContain('INTERNAL')
    }
  },
)
