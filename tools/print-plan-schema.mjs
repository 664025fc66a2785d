// @ts-check
/** packages/cli/schemas/plan.schema.json: the schema of plan files for editors. `--write` writes it, `--check` fails when another one is there. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { planJsonSchema } from '../packages/cli/dist/plan-file/plan-json-schema.js'

const file = path.resolve(import.meta.dirname, '..', 'packages', 'cli', 'schemas', 'plan.schema.json')
const text = `${JSON.stringify(planJsonSchema(), undefined, 2)}\n`

if (process.argv.includes('--write')) {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
} else if (JSON.stringify(JSON.parse(readFileSync(file, 'utf8'))) !== JSON.stringify(JSON.parse(text))) {
  console.error('packages/cli/schemas/plan.schema.json is not what the code says. To write it: npm run docs')
  process.exitCode = 1
}
