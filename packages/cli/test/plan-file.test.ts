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
    [
      'a value that cannot be',
      'steps:\n  - key: a\n    timeout: soon\n',
      /^plan\.yaml:3:14 step "a": timeout: is no length of time/,
    ],
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

describe('the words that control a step', () => {
  it.each([
    [
      'a condition that cannot be read',
      'steps:\n  - key: a\n    when: inputs.x = 3\n',
      /^plan\.yaml:3:11 step "a": when: the expression cannot be read: character 10, =: write == to compare$/,
    ],
    [
      'a reference that is not closed',
      'steps:\n  - key: a\n    input:\n      goal: go ${{ inputs.x\n',
      /^plan\.yaml:4:13 step "a": input\.goal: the reference cannot be read: \$\{\{ has no closing \}\}\. To write the signs themselves: /,
    ],
    [
      'a step that is not there',
      'steps:\n  - key: a\n    when: steps.b.output == 1\n',
      /^plan\.yaml:3:11 step "a": when: this plan has no step "b"\. Its steps are: a$/,
    ],
    [
      'item without foreach',
      'steps:\n  - key: a\n    title: ${{ item }}\n',
      /^plan\.yaml:3:12 step "a": title: there is no item here\. It can read: steps, inputs$/,
    ],
    [
      'output outside until',
      'steps:\n  - key: a\n    when: output == 1\n',
      /there is no output here\. It can read: steps, inputs$/,
    ],
    [
      'a step that reads itself',
      'steps:\n  - key: a\n    until: steps.a.output == 1\n',
      /a step cannot read itself\. In until, its result is called output$/,
    ],
    [
      'steps alone',
      'steps:\n  - key: a\n    foreach: steps\n',
      /steps is followed by the key of a step, as in steps\.build\.output$/,
    ],
    [
      'a circle of references',
      'steps:\n  - { key: a, when: steps.b.skipped }\n  - { key: b, when: steps.a.skipped }\n',
      /^plan\.yaml:2:\d+ step "a": depends on itself: a → b → a\.$/,
    ],
    [
      'two things at once',
      'steps:\n  - key: a\n    kind: command\n    sleep: 1 hour\n',
      /^plan\.yaml:4:5 step "a": sleep: a step does one thing, and this one has kind, too\. Make it two steps$/,
    ],
    [
      'a companion without its word',
      'steps:\n  - key: a\n    atOnce: 3\n',
      /^plan\.yaml:3:5 step "a": atOnce: belongs to foreach, and this step has none$/,
    ],
    [
      'a timeout of a sleep',
      'steps:\n  - key: a\n    sleep: 1 s\n    timeout: 1 hour\n',
      /^plan\.yaml:4:5 step "a": timeout: sleep waits as long as it says, so it has no timeout$/,
    ],
    [
      'an input without a kind',
      'steps:\n  - key: a\n    ask: Go?\n    input: { x: 1 }\n',
      /^plan\.yaml:4:5 step "a": input: belongs to a step that has a kind, and this one has ask$/,
    ],
    ['a length of time that is none', 'steps:\n  - key: a\n    sleep: a while\n', /^plan\.yaml:3:12 step "a": sleep: /],
    [
      'an input of a repeated step',
      'steps:\n  - key: a\n    kind: command\n    foreach: [1]\n    input: { comand: x }\n',
      /step "a": input\.command: it is required/,
    ],
    [
      'a plan file that is not there',
      'steps:\n  - key: a\n    plan: sub.yaml\n',
      /^plan\.yaml:3:11 step "a": plan: sub\.yaml cannot be read\. Name a plan file, relative to this one$/,
    ],
    [
      'a file that runs itself',
      'steps:\n  - key: a\n    plan: plan.yaml\n',
      /^plan\.yaml:3:11 step "a": plan: the plan would run itself without end: plan\.yaml → plan\.yaml$/,
    ],
  ])('%s is refused with its place', (_, text, expected) => {
    expect(problems(text)).toContainEqual(expect.stringMatching(expected))
  })

  it('leaves a step without them as it is, and adds what the others read to what they depend on', () => {
    const { steps } = parse(`steps:
  - { key: build, kind: command, input: { command: make } }
  - { key: plain, kind: command, dependsOn: build, input: { command: ls } }
  - { key: many, kind: command, foreach: steps.build.output, input: { command: "\${{ item }}" } }
`)
    expect(steps[1]).toEqual({
      key: 'plain',
      title: 'plain',
      kind: 'command',
      dependsOn: ['build'],
      input: { command: 'ls' },
    })
    expect(steps[2]).toMatchObject({
      kind: 'function:control',
      dependsOn: ['build'],
      input: { needs: [{ key: 'build', kind: 'command' }], foreach: 'steps.build.output' },
    })
  })

  it('hands on how steps share what they use and when they start, also inside a repeated step', () => {
    const flow =
      'limit: { key: db, atOnce: 1 }, rate: { key: api, starts: 5, per: 1 minute }, priority: 3, startAt: 2030-01-01T00:00:00Z, delay: 5 s, expiresIn: 1 hour'
    const { steps } = parse(`steps:\n  - { key: a, ${flow} }\n  - { key: b, foreach: [1], ${flow} }\n`)
    const expected = {
      limit: { key: 'db', atOnce: 1 },
      rate: { key: 'api', starts: 5, per: '1 minute' },
      priority: 3,
      startAt: Date.UTC(2030, 0, 1),
      delay: '5 s',
      expiresIn: '1 hour',
    }
    expect(steps[0]).toMatchObject(expected)
    expect(steps[1]?.input).toMatchObject({ action: { step: expected } })
    expect(problems('steps:\n  - { key: a, sleep: 1 s, delay: 1 s }\n')).toEqual([
      expect.stringContaining('delay: belongs to a step that has a kind, and this one has sleep'),
    ])
    expect(problems('steps:\n  - { key: a, delay: soon }\n')).toEqual([
      expect.stringMatching(/^plan\.yaml:2:\d+ step "a": delay: is no length of time/),
    ])
  })

  it('reads plan files below, names their mistakes by their own place, and finds circles between files', () => {
    const texts = new Map<string, string | Error>([
      ['sub/deploy.yaml', 'inputs: { host: a, port: 1 }\nsteps:\n  - { key: x, kind: comand }\n'],
      ['sub/round.yaml', 'steps:\n  - { key: x, plan: ../plan.yaml }\n'],
    ])
    const told = (text: string) => {
      try {
        return parsePlanFile(text, { file: 'plan.yaml', kinds: ['agent'], texts })
      } catch (error) {
        return (error as { readonly problems: readonly string[] }).problems
      }
    }
    expect(told('steps: [{ key: a, plan: sub/deploy.yaml }]')).toEqual([
      expect.stringMatching(/^sub\/deploy\.yaml:3:\d+ step "x": there is no kind "comand"/),
    ])
    expect(told('steps: [{ key: a, plan: sub/round.yaml }]')).toEqual([
      expect.stringMatching(/^sub\/round\.yaml:2:\d+ step "x": plan: .* plan\.yaml → sub\/round\.yaml → plan\.yaml$/),
    ])
  })
})
