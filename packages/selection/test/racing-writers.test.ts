import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { ownWorld } from './own-world.ts'

const writer = fileURLToPath(new URL('./set-many.mjs', import.meta.url))

it('eight processes setting keys at once lose none', async () => {
  const { config, configFile, home } = await ownWorld()
  await config('{\n  "kept": "Zo\\u00eb"\n}\n')
  const [writers, keys] = [8, 6]
  await Promise.all(
    Array.from({ length: writers }, (_, i) =>
      promisify(execFile)(process.execPath, [writer, home, `w${i}`, `${keys}`]),
    ),
  )
  const settings = JSON.parse(await readFile(configFile, 'utf8')) as Record<string, unknown>
  const wanted = Array.from({ length: writers }, (_, w) => Array.from({ length: keys }, (__, i) => `w${w}.${i}`)).flat()
  expect(Object.keys(settings).toSorted()).toEqual([...wanted, 'kept', 'schema_version'].toSorted())
})
