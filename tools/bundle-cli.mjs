// @ts-check
/**
 * Puts what the commands load into few files, in packages/cli/dist/bundle, because five hundred files take longer to load than
 * to run. Made after each build from what `tsc -b` left in dist. The command uses the bundle only while those files are unchanged
 * (packages/cli/src/is-bundle-current.ts).
 *
 *     node tools/bundle-cli.mjs [--alone]
 *
 * The bundle before it stays for commands that are running, except with `--alone`: what is published holds one.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { compiledAt } from '../packages/cli/dist/is-bundle-current.js'
import { root } from './run.mjs'

const packages = path.join(root, 'packages')
/** Of others, and bundled too: each would be a hundred files. */
const libraries = ['zod', 'yaml']
/** By group, the libraries that must not be in it. @type {Readonly<Record<string, readonly string[]>>} */
const without = { place: libraries, reading: libraries, writing: ['zod'] }
const cli = path.join(packages, 'cli')
const into = path.join(cli, 'dist', 'bundle')
const bundled = [
  'cli',
  'mcp-server',
  'process-seam',
  'workspace',
  'routing',
  'selection',
  'backend-device-local',
  'embedder-static',
  'memory',
  'learning',
  'agent-loop',
  'harness',
  'coding-agents',
  'planner',
  'settings',
  'nodes-sqlite',
  'nodes',
  'vault-lock',
  'storage-seam',
]
/** What every command needs to know where it is, and to answer: one file, where there would be thirty of what is needed here and there. */
const placing =
  /[\\/](?:storage-seam|vault-lock|backend-device-local|selection|routing)[\\/]dist[\\/]|[\\/](?:find-project|routing-world|workspace-world)\.js$|[\\/]cli[\\/]dist[\\/](?:pure[\\/])?(?!main\.js)[\w-]+\.js$|[\\/]memory[\\/]dist[\\/]shown\.js$/
/** What recall needs beside that. */
const readers = [
  'workspace/dist/reader.js',
  'workspace/dist/open-memory-reader.js',
  'nodes-sqlite/dist/index.js',
  'embedder-static/dist/related.js',
]
/** What save needs. The concepts of the log, and the library of schemas they are written with, stay out of it. */
const writers = ['workspace/dist/index.js', 'memory/dist/open-memory.js']
/** By file, the group it is in. @type {Map<string, string>} */
const groups = new Map()

const made = await rolldown({
  input: { main: path.join(cli, 'dist', 'main.js') },
  platform: 'node',
  plugins: [{ name: 'agentm', resolveId: resolved, transform: asWhereItWas, buildEnd: lookAround }],
})
const { output } = await made.generate({
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name]-[hash].cjs',
  comments: false,
  codeSplitting: {
    groups: [
      { name: 'place', test: placing, priority: 3 },
      { name: 'reading', test: (id) => groups.get(id) === 'reading', priority: 2 },
      { name: 'writing', test: (id) => groups.get(id) === 'writing', priority: 1 },
    ],
  },
})
await made.close()
refuseLibraries()
keep(output.flatMap((file) => (file.type === 'chunk' ? [{ ...file, code: withoutImports(file.code) }] : [])))

/**
 * Packages of others, and modules of ours that load one, are loaded from where they are: which copy of it they get is decided
 * there.
 * @this {import('rolldown').PluginContext} @param {string} id @param {string | undefined} importer
 */
async function resolved(id, importer) {
  if (importer === undefined) return undefined
  if (id.startsWith('node:')) return { id, external: true }
  const found = await this.resolve(id, importer, { skipSelf: true })
  if (found !== null && libraries.some((name) => found.id.includes(path.join('node_modules', name, path.sep))))
    return found
  if (found === null || packageOf(found.id) === undefined) return { id, external: true }
  return loadsOthers(found.id) ? { id: fromBundle(found.id), external: true } : found
}

/** @this {import('rolldown').PluginContext} */
function lookAround() {
  /** What is loaded only when it is needed stays in a file of its own. @type {Set<string>} */
  const apart = new Set()
  for (const [name, entries] of Object.entries({ reading: readers, writing: writers })) {
    const queue = entries.map((each) => path.join(packages, each))
    for (const id of queue) apart.delete(id)
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      const info = this.getModuleInfo(id)
      if (groups.has(id) || apart.has(id) || info?.importedIds.some(isOfSchemas)) continue
      groups.set(id, name)
      queue.push(...(info?.importedIds ?? []))
      for (const each of info?.dynamicallyImportedIds ?? []) apart.add(each)
    }
  }
}

/** A script has no `import()` without an experimental warning. packages/cli/src/load-bundle.ts gives it this function instead. @param {string} code */
function withoutImports(code) {
  return code.replaceAll(/\bimport\(/g, 'importOther(')
}

/** Schemas and YAML take as long to load as everything else that recall needs, and one import is enough to bring them along. */
function refuseLibraries() {
  const chunks = output.flatMap((file) => (file.type === 'chunk' ? [file] : []))
  for (const { name, moduleIds } of chunks)
    for (const library of without[name] ?? [])
      if (moduleIds.some((id) => isOf(library, id)))
        throw new Error(
          `what every ${name} command loads contains ${library}. Find the module that imports a file with it, and let it import less, or load it when it is needed.`,
        )
}

/** @param {string} id */
function isOfSchemas(id) {
  return isOf('zod', id)
}

/** @param {string} library @param {string} id */
function isOf(library, id) {
  return id.includes(path.join('node_modules', library, path.sep))
}

/** Its folder, where it is one that is bundled. @param {string} file */
function packageOf(file) {
  const [name = '', dist] = path.relative(packages, file).split(path.sep)
  return dist === 'dist' && bundled.includes(name) ? name : undefined
}

/**
 * The SQLite of Node 20 counts as a package of others: `nodes-sqlite` depends on it, and the command does not, so only a file of
 * `nodes-sqlite` is sure to find it.
 * @param {string} file
 */
function loadsOthers(file) {
  const loaded = readFileSync(file, 'utf8').matchAll(/\b(?:from |import |import\()['"]([^'"\n]+)['"]/g)
  return Array.from(loaded).some(
    ([, id = '']) => !/^(?:\.|node:|@agentm\/(?!sqlite-node20))/.test(id) && !libraries.includes(id),
  )
}

/** As it is written in a file of the bundle, where packages stand side by side. @param {string} file */
function fromBundle(file) {
  return path.relative(into, file).replaceAll('\\', '/')
}

/** What looks around itself looks from where it was. @param {string} code @param {string} id */
function asWhereItWas(code, id) {
  const here = `new URL(${JSON.stringify(fromBundle(id))}, import.meta.url).href`
  return code.includes('import.meta.url') ? code.replaceAll('import.meta.url', here) : undefined
}

/**
 * Files of another content have another name, so that a command that runs meanwhile finds those it began with; the entry, and
 * what says that it is current, come last. Those of the build before stay until the next one.
 * @param {readonly import('rolldown').OutputChunk[]} chunks
 */
function keep(chunks) {
  mkdirSync(into, { recursive: true })
  const before = process.argv.includes('--alone') ? [] : filesOf(readIfThere('manifest.json'))
  for (const { fileName, code } of chunks.toSorted((a, b) => Number(a.isEntry) - Number(b.isEntry)))
    replace(fileName, code)
  const names = chunks.map(({ fileName }) => fileName)
  replace('compiled.json', JSON.stringify(byPackage(compiledAt)))
  replace('manifest.json', JSON.stringify({ versions: byPackage(versionOf), chunks: names }))
  replace('LICENSES.txt', libraries.map(licenceOf).join('\n'))
  const current = new Set([...before, ...names, 'compiled.json', 'manifest.json', 'LICENSES.txt'])
  for (const name of readdirSync(into)) if (!current.has(name) && !isBeingWritten(name)) drop(name)
}

/** Whoever passes a library on passes on its licence. @param {string} name */
function licenceOf(name) {
  const folder = path.dirname(
    createRequire(path.join(packages, 'memory', 'package.json')).resolve(`${name}/package.json`),
  )
  return `${name}\n\n${readFileSync(path.join(folder, 'LICENSE'), 'utf8')}`
}

/** By another build, which began a moment ago and gives it its name in the end. @param {string} name */
function isBeingWritten(name) {
  const found = statSync(path.join(into, name), { throwIfNoEntry: false })
  return !/\.(?:cjs|json)$/.test(name) && found !== undefined && Date.now() - found.mtimeMs < 60_000
}

/** @param {string} name */
function drop(name) {
  rmSync(path.join(into, name), { force: true })
}

/** By package. @param {(folder: string) => string | undefined} fact */
function byPackage(fact) {
  return Object.fromEntries(bundled.map((name) => [name, fact(path.join(packages, name))]))
}

/** @param {string | undefined} manifest @returns {readonly string[]} */
function filesOf(manifest) {
  return manifest === undefined ? [] : JSON.parse(manifest).chunks
}

/** @param {string} name */
function readIfThere(name) {
  try {
    return readFileSync(path.join(into, name), 'utf8')
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return undefined
    throw error
  }
}

/** @param {string} name @param {string} text */
function replace(name, text) {
  const file = path.join(into, name)
  writeFileSync(`${file}.${process.pid}`, text)
  renameSync(`${file}.${process.pid}`, file)
}

/** @param {string} folder @returns {string} */
function versionOf(folder) {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')).version
}
