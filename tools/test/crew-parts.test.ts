import { expect, it } from 'vitest'
import { nextPartCall } from '../eval/crew/part.mjs'

const listed = 'part 3 done\npart 4 open\n'
const open = 'part 3 open\npart 4 done\n'

it.each([
  ['both', open, 'cat: part3.txt: No such file or directory', ['Read', 'Read', 'Edit', 'Write']],
  ['its own file, after a kill between the two', listed, 'File does not exist: part3.txt', ['Read', 'Read', 'Write']],
  ['the line of the list, after a kill between the two', open, '     1\tpart 3\n', ['Read', 'Read', 'Edit']],
  ['nothing, after a kill behind the two', listed, '1\tpart 3\n', ['Read', 'Read']],
])('Claude Code of a crew looks at both files, and changes what is missing: %s', (_, list, own, tools) => {
  const results = [list, own, 'changed', 'changed']
  const made = results.map((__, i) => nextPartCall['claude-code'](3, { results: results.slice(0, i), directory: '/t' }))
  expect(made.flatMap((call) => call?.[0] ?? [])).toEqual(tools)
})

it.each([
  ['both', `${open}cat: part3.txt: No such file or directory`, ['Update File: list.txt', 'Add File: part3.txt']],
  ['its own file, after a kill between the two', `${listed}cat: part3.txt: No such file`, ['Add File: part3.txt']],
  ['the line of the list, after a kill between the two', `${open}part 3\n`, ['Update File: list.txt']],
  ['nothing, after a kill behind the two', `${listed}part 3\n`, []],
])('Codex of a crew looks at both files, and changes what is missing: %s', (_, seen, changes) => {
  expect(nextPartCall.codex(3, { results: [] })).toEqual(['exec_command', { cmd: 'cat list.txt part3.txt' }])
  const { cmd = '' } = Object(nextPartCall.codex(3, { results: [seen] })?.[1])
  expect(String(cmd).match(/(?:Update|Add) File: \S+/gu) ?? []).toEqual(changes)
  expect(nextPartCall.codex(3, { results: [seen, 'changed'] })).toBeUndefined()
})
