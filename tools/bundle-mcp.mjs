// @ts-check
/**
 * Puts the part of an SDK that a package uses into its own files, before it is packed: the MCP SDK brings ninety packages and
 * 17 MB, of which a server over standard input needs 100 kB; that of OpenTelemetry brings 25 MB. The licences go with it.
 *
 *     node ../../tools/bundle-mcp.mjs src/mcp-sdk.ts     in the folder of a package
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'

const files = process.argv.slice(2)
if (files.length === 0) throw new TypeError('name the files that import the SDK, such as src/mcp-sdk.ts')
/** What the other files of the bundle are called. */
const prefix = path.basename(files[0] ?? '', '.ts')
const into = path.resolve(path.dirname(files[0] ?? '').replace(/^src/, 'dist'))
const input = Object.fromEntries(files.map((file) => [path.basename(file, '.ts'), path.resolve(file)]))

const made = await rolldown({ input, platform: 'node', external: [/^node:/, /^zod(\/|$)/, 'cross-spawn'] })
const { output } = await made.generate({
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: `${prefix}-[name].js`,
})
await made.close()
const chunks = output.flatMap((file) => (file.type === 'chunk' ? [file] : []))
const homes = new Set(chunks.flatMap(({ moduleIds }) => moduleIds.flatMap((id) => homeOf(id) ?? [])))
const current = new Set(chunks.map(({ fileName }) => fileName))
for (const name of readdirSync(into))
  if (name.startsWith(`${prefix}-`) && name.endsWith('.js') && !current.has(name)) rmSync(path.join(into, name))
for (const { fileName, code } of chunks) writeFileSync(path.join(into, fileName), code)
writeFileSync(path.join(into, `${prefix}-LICENSES.txt`), [...homes].toSorted().map(licenceOf).join('\n'))

/** The folder of the package that a module of somebody else is from. @param {string} id */
function homeOf(id) {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0]
}

/** @param {string} home */
function licenceOf(home) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8'))
  const file = readdirSync(home).find((each) => /^licen[cs]e/i.test(each))
  const text =
    file === undefined || !existsSync(path.join(home, file))
      ? `Licence: ${license}\n`
      : readFileSync(path.join(home, file), 'utf8')
  return `${name} ${version}\n\n${text}`
}
