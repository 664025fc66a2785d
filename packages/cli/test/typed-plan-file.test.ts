/** References in plan files, checked before the start: a file with every word that runs, and wrong ones with what is said of them. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { parsePlanFile } from '../src/plan-file/parse-plan-file.ts'
import { planJsonSchema } from '../src/plan-file/plan-json-schema.ts'
import { PlanWorld } from './plan-world.ts'

const examples = path.join(import.meta.dirname, '../../../examples/plans')
const names = ['every-feature.yaml', 'every-feature-notes.yaml'] as const
const kinds = ['agent', 'approval', 'command', 'http', 'module']

function problems(text: string, texts: ReadonlyMap<string, string> = new Map()): readonly string[] {
  try {
    parsePlanFile(text, { file: 'plan.yaml', kinds, texts })
  } catch (error) {
    return (error as { readonly problems: readonly string[] }).problems
  }
  return []
}

describe('a plan file with every word', () => {
  it('fits the schema that editors get, and uses every field that the schema names', async () => {
    const schema = JSON.parse(JSON.stringify(planJsonSchema()))
    const validate = new AjvJsonSchemaValidator().getValidator(schema)
    const files = await Promise.all(names.map((name) => readFile(path.join(examples, name), 'utf8')))
    expect(files.map((text) => validate(parse(text)).valid)).toEqual([true, true])
    const steps = files.flatMap((text) => parse(text).steps as readonly object[])
    const unused = Object.keys(schema.properties.steps.items.properties).filter(
      (word) => !steps.some((step) => Object.hasOwn(step, word)),
    )
    // Agents and the files that they are shown need a model, a tree needs trees, and the others would change what happens when a worker is lost.
    expect(unused).toEqual(['files', 'assignedAgent', 'onUnknown', 'tree', 'startAt'])
    expect(Object.keys(schema.properties).filter((word) => !Object.hasOwn(parse(files[0] ?? ''), word))).toEqual([])
  })

  it('runs from the file, with the inputs of the command line', { timeout: 180_000 }, async () => {
    const plans = await PlanWorld.make()
    for (const name of names) await plans.cli.file(`repo/${name}`, await readFile(path.join(examples, name), 'utf8'))
    const running = plans.cli.start(['run', names[0], '--input', 'tag=v2.1', '--input', 'pause=1 ms'])
    const planId = await startedPlan(plans)
    const asks = await plans.until(planId, ({ waiting }) => waiting.some(({ title }) => title === 'go'))
    expect(JSON.stringify(asks)).toContain('Ship v2.1 (12 kB)?')
    await plans.cli.json(['approve', `${planId}/go`, '--answer', 'ship'])
    await plans.cli.json(['signal', planId, 'checked', '{"by":"Ada"}'])
    expect(await running.ended()).toBe(0)
    expect(await plans.cli.read('repo/release.txt')).toBe('to v2.1 eu 0, v2.1 us 1, checked by Ada')
  })
})

/** The id of the only plan, once there is one. */
async function startedPlan({ cli }: PlanWorld): Promise<string> {
  for (;;) {
    const { plans } = (await cli.json(['status'])) as { plans?: readonly { planId: string }[] }
    if (plans?.[0] !== undefined) return plans[0].planId
  }
}

const sub = new Map([['sub.yaml', 'inputs: { host: { type: string }, port: 80 }\nsteps: [{ key: put }]\n']])
const built = `  - { key: build, kind: command, input: { command: make }, output: { type: object, properties: { version: { type: string }, size: { type: integer }, files: { type: array, items: { type: string } } }, required: [version, size, files] } }\n`

describe('twenty wrong references, each with its place, what is there and what to do', () => {
  it.each([
    [
      'a step that is absent',
      '  - { key: a, when: steps.biuld.output.size > 1 }',
      'plan.yaml:4:21 step "a": when: this plan has no step "biuld". Its steps are: build, a',
    ],
    [
      'a field that the declared output does not have',
      '  - { key: a, title: "${{ steps.build.output.versoin }}" }',
      'plan.yaml:4:22 step "a": title: steps.build.output has no field versoin. It has: version, size, files',
    ],
    [
      'a field of a text',
      '  - { key: a, title: "${{ steps.build.output.version.major }}" }',
      'plan.yaml:4:22 step "a": title: steps.build.output.version is a text and has no field major',
    ],
    [
      'a field of a step that no step has',
      '  - { key: a, when: steps.build.exitCode == 0 }',
      'plan.yaml:4:21 step "a": when: steps.build has no field exitCode. It has: output, skipped, result',
    ],
    [
      'the exit code in what a command printed',
      '  - { key: ls, kind: command, input: { command: ls } }\n  - { key: a, when: steps.ls.output.exitCode == 0 }',
      'plan.yaml:5:21 step "a": when: steps.ls.output has no field exitCode. It is what the command printed. Write steps.ls.result.exitCode; or, if it prints JSON with this field, declare output',
    ],
    [
      'a field that the result of a kind does not have',
      '  - { key: get, kind: http, input: { url: "http://x/" } }\n  - { key: a, when: steps.get.result.statusCode == 200 }',
      'plan.yaml:5:21 step "a": when: steps.get.result has no field statusCode. It has: status, headers, body, cut',
    ],
    [
      'a text where a list belongs',
      '  - { key: a, kind: command, input: { command: ls, args: "${{ steps.build.output.version }}" } }',
      'plan.yaml:4:58 step "a": input.args: ${{ steps.build.output.version }} is a text, and this takes a list (of a text)',
    ],
    [
      'a text where a number belongs',
      '  - { key: a, kind: approval, input: { deadlineMs: "${{ steps.build.output.size }}0" } }',
      'plan.yaml:4:52 step "a": input.deadlineMs: a text with references is a text, and this takes a number',
    ],
    [
      'a number where an object belongs',
      '  - { key: a, kind: http, input: { url: "http://x/", headers: "${{ steps.build.output.size }}" } }',
      'plan.yaml:4:63 step "a": input.headers: ${{ steps.build.output.size }} is a number, and this takes an object',
    ],
    [
      'an object to repeat over',
      '  - { key: a, foreach: steps.build.output }',
      'plan.yaml:4:24 step "a": foreach: steps.build.output is an object, and foreach takes a list',
    ],
    [
      'a field of an item that is a text',
      '  - { key: a, foreach: steps.build.output.files, title: "${{ item.name }}" }',
      'plan.yaml:4:57 step "a": title: item is a text and has no field name',
    ],
    [
      'a condition that is a number',
      '  - { key: a, when: steps.build.output.size }',
      'plan.yaml:4:21 step "a": when: steps.build.output.size is a number, and a condition is true or false. Compare it with something',
    ],
    [
      'an order of a text and a number',
      '  - { key: a, until: output.x == 1 or steps.build.output.version < 3 }',
      'plan.yaml:4:22 step "a": until: < compares two numbers or two texts, and steps.build.output.version is a text and 3 is a number',
    ],
    [
      'an answer that nobody can give',
      '  - { key: go, ask: Go?, options: [ship, hold] }\n  - { key: a, when: steps.go.output == "shipp" }',
      'plan.yaml:5:21 step "a": when: steps.go.output == "shipp" is always false, because steps.go.output is one of "ship", "hold" and "shipp" is the text "shipp"',
    ],
    [
      'the output of a step that gives none',
      '  - { key: nap, sleep: 1 s }\n  - { key: a, title: "${{ steps.nap.output }}" }',
      'plan.yaml:5:22 step "a": title: ${{ steps.nap.output }} never has a value',
    ],
    [
      'an input that is not declared',
      '  - { key: a, title: "${{ inputs.tagg }}" }',
      'plan.yaml:4:22 step "a": title: inputs has no field tagg. It has: tag, schedule, scheduledFor',
    ],
    [
      'a function that does not exist',
      '  - { key: a, when: \'has(inputs.tag, "v")\' }',
      'plan.yaml:4:21 step "a": when: the expression cannot be read: character 1: there is no function has. There are: contains, startsWith, endsWith, join, default, fromJson',
    ],
    [
      'an argument of another type',
      '  - { key: a, when: \'startsWith(steps.build.output.size, "1")\' }',
      'plan.yaml:4:21 step "a": when: startsWith(TEXT, START): value 1 is a number, and startsWith takes a text',
    ],
    [
      'an input of another plan that is required',
      '  - { key: a, plan: sub.yaml, with: { port: 81 } }',
      'plan.yaml:4:21 step "a": with.host: it is required by sub.yaml. Write with: { host: … }',
    ],
    [
      'an input of another plan with another type',
      '  - { key: a, plan: sub.yaml, with: { host: h, port: "${{ steps.build.output.version }}" } }',
      'plan.yaml:4:54 step "a": with.port: ${{ steps.build.output.version }} is a text, and this takes a number',
    ],
    [
      'a step of another plan',
      '  - { key: all, plan: sub.yaml, with: { host: h } }\n  - { key: a, title: "${{ steps.all.output.get }}" }',
      'plan.yaml:5:22 step "a": title: steps.all.output has no field get. It has: put',
    ],
    [
      'a type that JSON schema does not have',
      '  - { key: a, output: { type: text } }',
      'plan.yaml:4:31 step "a": output.type: Invalid option: expected one of "string"|"number"|"integer"|"boolean"|"array"|"object"|"null"',
    ],
    [
      'a word that JSON schema has and plan files do not',
      '  - { key: a, output: { type: string, format: email } }',
      'plan.yaml:4:39 step "a": there is no field "format"',
    ],
    [
      'an output of a question',
      '  - { key: a, ask: Go?, output: { type: string } }',
      'plan.yaml:4:25 step "a": output: belongs to signal and to a step that has a kind, and this one has ask',
    ],
  ])('%s', (_, steps, expected) =>
    expect(problems(`inputs: { tag: v1 }\nsteps:\n${built}${steps}\n`, sub)).toEqual([expected]),
  )
})

describe('the inputs of a plan', () => {
  const text =
    'inputs:\n  tag: { type: string }\n  count: 3\n  dry: { type: boolean, default: false }\nsteps: [{ key: a }]\n'
  const given = (values: Readonly<Record<string, unknown>>) => {
    try {
      return parsePlanFile(text, { file: 'plan.yaml', kinds, given: values }).input
    } catch (error) {
      return (error as { readonly problems: readonly string[] }).problems
    }
  }

  it('have their defaults, and read texts of the command line by their type', () => {
    expect(given({ tag: '7' })).toEqual({ tag: '7', count: 3, dry: false })
    expect(given({ tag: 'v1', count: '7', dry: 'true' })).toEqual({ tag: 'v1', count: 7, dry: true })
  })

  it('are refused by name if they are absent, unknown or of another type', () => {
    expect(given({})).toEqual([
      'plan.yaml:2:3 input "tag": it is required. Give it with --input tag=VALUE, or add a default',
    ])
    expect(given({ tag: 'v1', cuont: '3' })).toEqual([
      'plan.yaml:2:3 input "cuont": the plan has no such input. It has: tag, count, dry',
    ])
    expect(given({ tag: 'v1', count: 'many' })).toEqual([
      'plan.yaml:3:3 input "count": "many" does not fit: Invalid input: expected number, received string',
    ])
  })

  it('have a default of their own type', () =>
    expect(problems('inputs:\n  tag: { type: string, default: 3 }\nsteps: [{ key: a }]\n')).toEqual([
      'plan.yaml:2:3 input "tag": its default does not fit: Invalid input: expected string, received number',
    ]))
})

it(
  'fails a step whose output is not as declared, and tries again where until allows a failure',
  { timeout: 120_000 },
  async () => {
    const plans = await PlanWorld.make()
    const output = 'output: { type: object, properties: { n: { type: integer } }, required: [n] }'
    const wrong = await plans.plan(
      `goal: g\nsteps:\n  - { key: a, kind: command, ${output}, input: ${say('echo \'{"n":"one"}\'')} }\n`,
    )
    expect((await plans.cli.agentm(['run', wrong])).code).toBe(1)
    expect((await plans.state(wrong)).failed[0]?.errorMessage).toContain(
      'a gave what its output does not allow: n: Invalid input: expected number, received string. It gave: {"n":"one"}',
    )
    const again = await plans.plan(
      `goal: g\nsteps:\n  - { key: a, kind: command, until: not failed, every: 1 ms, ${output}, input: ${say('echo x >> told; [ $(wc -l < told) -ge 2 ] && echo \'{"n":1}\' || echo no')} }\n`,
    )
    expect((await plans.cli.agentm(['run', again])).code).toBe(0)
    expect(plans.told()).toEqual(['x', 'x'])
  },
)

function say(code: string): string {
  return `{ command: sh, args: [-c, ${JSON.stringify(code)}] }`
}
