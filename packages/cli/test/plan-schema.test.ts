/** The JSON Schema that editors get for plan files. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parse } from 'yaml'
import { describe, expect, it } from 'vitest'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { planJsonSchema } from '../src/plan-file/plan-json-schema.ts'
import { parsePlanFile } from '../src/plan-file/parse-plan-file.ts'

const file = path.join(import.meta.dirname, '../schemas/plan.schema.json')

it('is in the package as the code makes it (npm run docs writes it)', async () => {
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(planJsonSchema())))
})

it('is among the files of the package', async () => {
  const manifest = JSON.parse(await readFile(path.join(import.meta.dirname, '../package.json'), 'utf8'))
  expect(manifest.files).toContain('schemas')
})

it('describes every word', () => {
  const silent: string[] = []
  const look = (schema: unknown, at: string): void => {
    if (Array.isArray(schema)) for (const inner of schema) look(inner, at)
    if (typeof schema !== 'object' || schema === null) return
    for (const [key, inner] of Object.entries(schema))
      if (key === 'properties' && !at.endsWith('/if'))
        for (const [name, field] of Object.entries(inner as Record<string, Record<string, unknown>>)) {
          const isNarrowed = at.endsWith('/then')
          if (!isNarrowed && typeof field['description'] !== 'string') silent.push(`${at}/${name}`)
          look(field, `${at}/${name}`)
        }
      else look(inner, `${at}/${key}`)
  }
  look(planJsonSchema(), '')
  expect(silent).toEqual([])
})

describe('says the same of a file as agentm plan new', () => {
  const validate = new AjvJsonSchemaValidator().getValidator(JSON.parse(JSON.stringify(planJsonSchema())))
  const fits = (text: string) => validate(parse(text)).valid

  it.each([
    ['goal: g\nbudget: { maxCost: 3 }\nsteps: [{ key: a, kind: command, input: { command: ls } }]', true],
    ['steps: [{ key: a, foreach: [1, 2], atOnce: 2, when: item > 1, title: "${{ item }}" }]', true],
    ['steps: [{ key: a, sleep: 2 days }, { key: b, ask: Go?, options: [yes], timeout: 1 hour, dependsOn: a }]', true],
    ['steps: [{ key: a, kind: http, until: output.done, every: 5, atMost: 3, input: { url: "http://x/" } }]', true],
    ['steps: [{ key: a, forEach: [1] }]', false],
    ['steps: [{ key: a, foreach: 3 }]', false],
    ['steps: [{ key: a, when: true }]', false],
    ['steps: [{ key: a, sleep: [] }]', false],
    ['steps: [{ key: a, atOnce: 0, foreach: [] }]', false],
    ['steps: []', false],
    ['steps: [{ key: a, kind: command }]', false],
    ['steps: [{ key: a, kind: command, input: { command: ls, arg: [x] } }]', false],
    ['steps: [{ key: a, kind: command, foreach: [[x]], input: { command: ls, args: "${{ item }}" } }]', true],
    ['steps: [{ key: a, kind: http, foreach: [x], input: { url: "${{ item }}", method: GET } }]', true],
    ['steps: [{ key: a, kind: http, input: { url: x } }]', false],
  ])('%s', (text, expected) => expect([fits(text), isRead(text)]).toEqual([expected, expected]))
})

function isRead(text: string): boolean {
  try {
    parsePlanFile(text, { file: 'plan.yaml', kinds: ['agent', 'approval', 'command', 'http', 'module'] })
    return true
  } catch {
    return false
  }
}
