import { describe, expect, it } from 'vitest'
import { decisiveRefusals, freshTally, type TalliedCall, tallied } from '../../../src/loop/pure/call-tally.ts'

const edit = { tool: 'files_edit', nature: undefined, offered: false, end: 'refused' } as const
const read = { tool: 'files_read', nature: 'pure', offered: true, end: 'succeeded' } as const
const save = { tool: 'memory_save', nature: 'effectful', offered: true, end: 'succeeded' } as const
const run = { tool: 'shell', nature: 'effectful', offered: true, end: 'succeeded' } as const
const denied = { ...run, end: 'refused' } as const

describe('the refusals that left the work undone', () => {
  it.each<readonly [string, readonly TalliedCall[], readonly string[]]>([
    ['none without a call', [], []],
    ['all, if nothing else was called', [edit, denied, edit], ['files_edit', 'shell']],
    ['those of a lacking tool for changes, if the others only read', [read, edit, save], ['files_edit']],
    ['none, if something was changed all the same', [edit, run], []],
    ['none, if a tool that is there refused one call', [denied, read], []],
    ['none, if the lacking tool is unknown', [{ ...edit, tool: 'search_the_web' }, read], []],
    ['none, if a call failed for another reason', [{ ...run, end: 'failed' }, read], []],
  ])('%s', (_, calls, tools) => {
    expect(decisiveRefusals(calls.reduce(tallied, freshTally))).toEqual(tools)
  })

  it('are only those of tools that the work needs', () => {
    const tally = [read, edit].reduce<typeof freshTally>(tallied, freshTally)
    expect(decisiveRefusals(tally, () => false)).toEqual([])
    expect(decisiveRefusals([edit].reduce<typeof freshTally>(tallied, freshTally), () => false)).toEqual(['files_edit'])
  })
})
