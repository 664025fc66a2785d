import { describe, expect, it } from 'vitest'
import { parsePlanFile } from '../src/plan-file/parse-plan-file.ts'

const parse = (text: string) =>
  parsePlanFile(text, { file: 'plan.yaml', kinds: ['agent', 'approval', 'command', 'http', 'module'] })

function problems(text: string): readonly string[] {
  try {
    parse(text)
  } catch (error) {
    return (error as { readonly problems: readonly string[] }).problems
  }
  return []
}

it('takes a goal and steps, and fills in what nobody has to say', () => {
  const yaml = `
goal: release 1.4
budget: { maxSteps: 9 }
steps:
  - key: test
    kind: command
    input: { command: npm, args: [test] }
    retry: { maxFailures: 2 }
  - key: notes
    title: Write the release notes
    dependsOn: test
`
  expect(parse(yaml)).toEqual({
    goal: 'release 1.4',
    budget: { maxSteps: 9 },
    steps: [
      {
        key: 'test',
        title: 'test',
        kind: 'command',
        dependsOn: [],
        input: { command: 'npm', args: ['test'] },
        retry: { maxFailures: 2 },
      },
      { key: 'notes', title: 'Write the release notes', kind: 'agent', dependsOn: ['test'] },
    ],
  })
})

it('takes JSON, which is YAML too', () => {
  expect(parse('{"steps": [{"key": "a"}]}')).toMatchObject({ goal: undefined, steps: [{ key: 'a', kind: 'agent' }] })
})

describe('a refusal names file, line and step:', () => {
  it.each([
    ['no YAML', 'goal: [a\n', /^plan\.yaml:\d+:\d+ Flow sequence/],
    ['a key twice in one map', 'goal: a\ngoal: b\nsteps: [{ key: a }]', /^plan\.yaml:2:1 Map keys must be unique/],
    ['a tag nobody knows', 'steps: [{ key: !secret a }]', /^plan\.yaml:1:\d+ Unresolved tag/],
    [
      'two documents',
      'steps: [{ key: a }]\n---\nsteps: []\n',
      /^plan\.yaml:\d+:\d+ Source contains multiple documents/,
    ],
    ['nothing at all', '', /^plan\.yaml:1:1 /],
    ['no steps', 'goal: g\nsteps: []\n', /^plan\.yaml:2:8 a plan has at least one step$/],
    [
      'a field that is misspelt',
      'steps:\n  - key: a\n    dependOn: b\n',
      /^plan\.yaml:3:5 step "a": there is no field "dependOn"$/,
    ],
    ['a step without a key', 'steps:\n  - key: a\n  - title: B\n', /^plan\.yaml:3:5 step 2: key: /],
    ['a value that cannot be', 'steps:\n  - key: a\n    timeoutMs: soon\n', /^plan\.yaml:3:16 step "a": timeoutMs: /],
    [
      'a kind there is not',
      'steps:\n  - key: a\n    kind: comand\n',
      /^plan\.yaml:3:11 step "a": there is no kind "comand". Choose from: agent, approval, command, http, module\. If a plugin adds the kind/,
    ],
    [
      'a dependency there is not',
      'steps:\n  - key: a\n  - key: b\n    dependsOn: [a, c]\n',
      /^plan\.yaml:4:20 step "b": depends on "c", but this plan has no such step\. Its steps are: a, b\.$/,
    ],
    [
      'a circle',
      'steps:\n  - { key: a, dependsOn: b }\n  - { key: b, dependsOn: [a] }\n',
      /^plan\.yaml:2:\d+ step "a": depends on itself: a → b → a\.$/,
    ],
    [
      'a step that depends on itself',
      'steps:\n  - key: a\n    dependsOn: a\n',
      /^plan\.yaml:3:16 step "a": depends on itself: a → a\.$/,
    ],
    [
      'an input without what its kind needs',
      'steps:\n  - key: a\n    kind: command\n',
      /^plan\.yaml:2:5 step "a": input\.command: it is required\. An example for kind command: \{ command: npm, args: \[test\] \}$/,
    ],
    [
      'a value of an input that cannot be',
      'steps:\n  - key: a\n    kind: command\n    input:\n      command: npm\n      args: test\n',
      /^plan\.yaml:6:13 step "a": input\.args: invalid input: expected array, received string\. An example for kind command: /,
    ],
    [
      'a field of an input that is misspelt',
      'steps:\n  - key: a\n    kind: command\n    input:\n      command: npm\n      arg: [test]\n',
      /^plan\.yaml:6:7 step "a": input\.arg: there is no such field\. An example for kind command: /,
    ],
    [
      'a URL that is none',
      'steps:\n  - { key: a, kind: http, input: { url: example.com } }\n',
      /^plan\.yaml:2:\d+ step "a": input\.url: invalid URL\. An example for kind http: /,
    ],
    [
      'a module without a name',
      'steps:\n  - { key: a, kind: module, input: { export: build } }\n',
      /^plan\.yaml:2:\d+ step "a": input\.module: it is required\. An example for kind module: /,
    ],
    [
      'a default answer that is not allowed',
      'steps:\n  - { key: a, kind: approval, input: { allowed: [yes, no], default: maybe } }\n',
      /^plan\.yaml:2:\d+ step "a": input\.default: is not among the allowed answers\. An example for kind approval: /,
    ],
    [
      'a goal of an agent that is no text',
      'steps:\n  - { key: a, input: { goal: [b], whatever: 1 } }\n',
      /^plan\.yaml:2:\d+ step "a": input\.goal: invalid input: expected string, received array\. An example for kind agent: /,
    ],
    ['a key used twice', 'steps:\n  - key: a\n  - key: a\n', /^plan\.yaml:2:10 two steps have the key "a"$/],
  ])('%s', (_, text, expected) => {
    const told = problems(text)
    expect(told).toHaveLength(1)
    expect(told[0]).toMatch(expected)
  })

  it('all of them at once', () => {
    expect(problems('steps:\n  - { key: a, kind: x, dependsOn: y }\n  - { key: b, kind: z }\n')).toHaveLength(3)
  })

  it('what is wrong with one step beside what steps are to each other', () => {
    const text =
      'steps:\n  - { key: a, retries: 3, dependsOn: b }\n  - { key: b, dependsOn: [a, c] }\n  - { key: b, kind: z }\n'
    expect(problems(text).map((problem) => problem.replace(/^\S+ /, ''))).toEqual([
      'step "a": there is no field "retries"',
      'two steps have the key "b"',
      'step "b": depends on "c", but this plan has no such step. Its steps are: a, b.',
      'step "b": there is no kind "z". Choose from: agent, approval, command, http, module. If a plugin adds the kind, install its package beside agentm.',
    ])
    expect(problems(text.replaceAll('key: b, kind: z', 'key: c, kind: z')).at(-1)).toMatch(/depends on itself: /)
  })
})
