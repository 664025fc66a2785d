/** Reads fixtures: one file, or all `.json` files of a directory. */
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Fixture } from '@agentm/harness'
import { z } from 'zod'
import { UsageError } from '../../command.ts'

/** Enough to recognise a fixture; `agentm trace --fixture` wrote the rest. */
const fixtureSchema = z.looseObject({
  name: z.string().min(1),
  recipe: z.looseObject({
    planId: z.string(),
    goal: z.string(),
    owner: z.string(),
    steps: z.array(z.looseObject({ id: z.string(), title: z.string(), dependsOn: z.array(z.string()) })),
    outcomes: z.record(z.string(), z.array(z.looseObject({ end: z.enum(['done', 'failed', 'lost', 'waiting']) }))),
  }),
  expect: z.looseObject({ success: z.boolean(), dispatches: z.int().min(0) }),
})

export async function readFixtures(place: string, cwd: string): Promise<readonly Fixture[]> {
  const at = path.resolve(cwd, place)
  const found = await stat(at).catch(() => undefined)
  if (found === undefined)
    throw new UsageError(`there is no suite or file ${JSON.stringify(place)}. Use seed, extended, or a fixture file.`)
  const files = found.isDirectory()
    ? (await readdir(at))
        .filter((name) => name.endsWith('.json'))
        .toSorted()
        .map((name) => path.join(at, name))
    : [at]
  if (files.length === 0) throw new UsageError(`${place} contains no fixtures: none of its files ends in .json.`)
  return Promise.all(files.map((file) => readFixture(file)))
}

async function readFixture(file: string): Promise<Fixture> {
  const parsed = fixtureSchema.safeParse(parseJson(file, await readFile(file, 'utf8')))
  if (!parsed.success) throw new UsageError(`${file} is not a fixture: ${z.prettifyError(parsed.error)}`)
  // Written by `agentm trace --fixture`.
  return parsed.data as unknown as Fixture
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}
