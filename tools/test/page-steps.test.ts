import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { stepsIn } from '../pages/page-steps.mjs'
import { settledOutput, withoutTimes } from '../pages/settled-output.mjs'
import { playedPages } from '../pages/stages.mjs'

const root = path.resolve(import.meta.dirname, '../..')
const fence = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\`\n`
const pages = await playedPages()

describe('what a reader of a page does', () => {
  it('types a command and compares what follows it', () => {
    const page = `# x\n\n${fence('sh', 'echo 1')}\n${fence('text', '1')}\n${fence('sh', 'echo 2')}\nProse.\n\n${fence('text', '2')}`
    expect(stepsIn(page)).toEqual([
      { kind: 'sh', code: 'echo 1\n', exit: 0, asks: false, output: '1\n', line: 3 },
      { kind: 'sh', code: 'echo 2\n', exit: 0, asks: false, line: 11 },
    ])
  })

  it('writes a file whose name stands before it, and takes no command for a file', () => {
    const page = `Write \`a/release.yaml\`:\n\n${fence('yaml', 'goal: x')}\nRun it, beside \`release.yaml\`:\n\n${fence('sh', 'cat x')}`
    expect(stepsIn(page).map(({ kind }) => kind)).toEqual(['file', 'sh'])
    expect(stepsIn(page)[0]).toMatchObject({ name: 'a/release.yaml', text: 'goal: x\n' })
  })

  it('leaves out what cannot be done here, and says why', () => {
    const page = `<!-- not run: it needs a server -->\n\n${fence('sh', 'serve')}${fence('json', '{}')}`
    expect(stepsIn(page)).toEqual([{ kind: 'not run', why: 'it needs a server', line: 3 }])
  })

  it('types what a reader has already, which the page does not show', () => {
    const page = `<!-- first:\nmkdir acme\ncd acme\n-->\n\n${fence('sh', 'ls')}`
    expect(stepsIn(page)).toMatchObject([
      { kind: 'sh', code: 'mkdir acme\ncd acme\n' },
      { kind: 'sh', code: 'ls\n' },
    ])
  })

  it('knows what is meant to fail, and what asks a person', () => {
    const page = `<!-- at a terminal -->\n<!-- ends with 1 -->\n\n${fence('sh', 'forget')}`
    expect(stepsIn(page)).toMatchObject([{ kind: 'sh', exit: 1, asks: true }])
    expect(stepsIn(`<!-- at a terminal -->\n${fence('sh', 'a')}${fence('sh', 'b')}`)).toMatchObject([
      { asks: true },
      { asks: false },
    ])
  })
})

it('shows one output for all machines and days', () => {
  const said = [
    'config  /tmp/x1/home/.claude/config.json, store 685f1a85-4c6b-4fce-a765-4bf880b29c5b, 2026-11-18',
    '0123abcd  done  build: process 4242 on vm, process 17, for 12 s, 47 ms ago',
    'v1:harness:step:0123abcd4567890123abcd4567890123 at 2026-11-18T12:37:43.123Z, 9999abcd',
  ].join('\n')
  expect(settledOutput(said, { home: '/tmp/x1/home', host: 'vm' }).split('\n')).toEqual([
    'config  /home/you/.claude/config.json, store 0c9e…, 2026-01-31',
    '4045c66e  done  build: process 4711 on laptop, process 4711, for 2 s, 2 s ago',
    'v1:harness:step:4045c66e… at 2026-01-31T12:00:00Z, 62469cbf',
  ])
})

function trace(from: string, took: string): string {
  return `Plan x: done, ${took}\nCreated on 2026-01-31 10:15:0${from} UTC\n\n   +${took}  plan  done`
}

it('compares traces without their times', () => {
  expect(withoutTimes(trace('1', '91 ms'))).toBe(withoutTimes(trace('7', '3.2 s')))
  expect(withoutTimes('waits, for 2 s\nfailed')).not.toBe(withoutTimes('waits, for 2 s\ndone'))
})

describe.each(pages)('%s', (name) => {
  const text = readFile(path.join(root, name), 'utf8')

  it('has one title, and a place in the navigation', async () => {
    const prose = (await text).replaceAll(/^```.*?^```/gms, '')
    expect(prose.match(/^# .+$/gm)).toHaveLength(1)
    const [, place] = /^---\n(?:.*\n)*?order: (\d+)\n(?:.*\n)*?---\n\n# /.exec(await text) ?? []
    expect(place === undefined).toBe(name === 'README.md')
  })

  it('tells readers, who have no agentm on their PATH, to type npx @agentm/cli', async () => {
    const steps = stepsIn(await text)
    const typed = steps.flatMap((step) => (step.kind === 'sh' ? step.code.split('\n') : []))
    expect(typed.filter((line) => /(^|[|;&(]\s*)agentm /.test(line))).toEqual([])
  })
})
