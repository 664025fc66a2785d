import { describe, expect, it } from 'vitest'
import { examplesIn, installsIn, isSameOutput } from '../install/readme-examples.mjs'

const fence = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\`\n`

describe('examplesIn', () => {
  it('takes a js fence with the text fence that follows it directly', () => {
    const readme = `# x\n\n${fence('js', 'console.log(1)')}\n${fence('text', '1')}`
    expect(examplesIn(readme)).toEqual([{ kind: 'js', code: 'console.log(1)\n', output: '1\n', line: 3 }])
  })

  it('expects no output where prose stands between', () => {
    const readme = `${fence('js', 'go()')}\nThe file then says\n\n${fence('text', '1')}`
    expect(examplesIn(readme)).toEqual([{ kind: 'js', code: 'go()\n', line: 1 }])
  })

  it('runs a shell fence only when its output is shown, and never its npm install lines', () => {
    const readme = fence('sh', 'rm -rf x') + fence('sh', 'npm install @agentm/cli\nagentm --help') + fence('text', 'hi')
    expect(examplesIn(readme)).toEqual([{ kind: 'sh', code: 'agentm --help\n', output: 'hi\n', line: 4 }])
  })

  it('runs what imports vitest as a test file', () => {
    const readme = fence('js', "import { describeBackend } from '@agentm/conformance/vitest'")
    expect(examplesIn(readme).map(({ kind }) => kind)).toEqual(['vitest'])
  })

  it('leaves typescript, json and unnamed fences alone', () => {
    expect(examplesIn(fence('typescript', 'x') + fence('json', '{}') + fence('', 'x'))).toEqual([])
  })
})

describe('installsIn', () => {
  it('names the packages of npm install lines, without flags and comments', () => {
    expect(installsIn(fence('sh', 'npm install -D @agentm/gates vitest # once\nnpx agentm-gates'))).toEqual([
      '@agentm/gates',
      'vitest',
    ])
  })
})

describe('isSameOutput', () => {
  it.each([
    ['a\nb', 'a\nb\n', true],
    ['a\nb', 'a', false],
    ['a', 'a\nb', false],
    ['took 12 ms', 'took … ms', true],
    ['took 1\n2 ms', 'took … ms', false],
    ['a\nx\ny\nb', 'a\n…\nb', true],
    ['a\nb', 'a\n…\nb', true],
    ['a\nx', 'a\n…\nb', false],
    ['a.c', 'abc', false],
    ['abc', 'a.c', false],
  ])('%j shown as %j: %s', (actual, expected, same) => {
    expect(isSameOutput(actual, expected)).toBe(same)
  })
})
