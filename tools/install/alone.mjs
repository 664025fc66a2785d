// @ts-check
/**
 * One package, alone in an empty folder outside the repository: installed from its tarball, every entry imported, every
 * README example run, every command asked for help.
 *
 * An entry or example that needs an optional peer, or a package that the README's own `npm install` line names, is tried
 * without first, because the rest must work without; then those are installed and it is tried again.
 */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { exec } from './exec.mjs'
import { outcome } from './outcome.mjs'
import { examplesIn, installsIn, isSameOutput } from './readme-examples.mjs'

/** @typedef {import('./packed.mjs').Packed} Packed */
/** @typedef {import('./readme-examples.mjs').Example} Example */
/** @typedef {import('./outcome.mjs').Check} Check */
/** @typedef {import('./outcome.mjs').Trial} Trial */

/**
 * @typedef {object} Setting
 * @property {string} folder an empty one
 * @property {string} scope
 * @property {string} registry where packages of the scope come from
 * @property {string} tsc
 * @property {Readonly<Record<string, string>>} pins third-party versions that are known to work here
 * @property {unknown} overrides
 */

/** Install scripts somebody read: they run on a user's machine, and none may download anything. */
const knownInstallScripts = new Map([['@photostructure/sqlite', 'node-gyp-build takes the binary the package carries']])

/** As `tsc --init` would have it. */
export const strictly = { strict: true, module: 'nodenext', target: 'es2023', types: ['node'] }

export const installFlags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']

/**
 * @param {Packed} packed
 * @param {Setting} setting
 * @returns {Promise<Check[]>}
 */
export async function checkAlone(packed, setting) {
  const { folder, scope, registry, overrides } = setting
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', overrides }))
  await writeFile(path.join(folder, '.npmrc'), `${scope}:registry=${registry}\n`)
  const install = await outcome({
    what: 'installs alone',
    go: () => exec('npm', ['install', ...installFlags, `${packed.name}@${packed.version}`], { cwd: folder }),
  })
  if (install.fault !== undefined) return [install]

  const readme = await readFile(path.join(folder, 'node_modules', packed.name, 'README.md'), 'utf8')
  const examples = examplesIn(readme)
  const checks = [
    install,
    await outcome({ what: 'no install step downloads', go: () => refuseInstallScripts(folder) }),
    await outcome({ what: `takes ${mostInstalled} MB at most`, go: () => refuseLarge(folder) }),
    {
      what: 'README has an example',
      ...(examples.length > 0 ? {} : { fault: 'no ```js or ```ts fence, and no ```sh fence with its output, to run' }),
    },
  ]
  const trials = [
    ...entriesOf(packed).map((entry) => importOf(packed, entry, folder)),
    ...examples.map((example) => runOf(example, setting)),
    ...commandsOf(packed).map((command) => helpOf(command, folder)),
  ]
  return [...checks, ...(await tryTwice(trials, extrasOf(packed, readme), setting))]
}

/**
 * @param {readonly Trial[]} trials
 * @param {Readonly<Record<string, string>>} extras what may be absent at first: name to range
 * @param {Setting} setting
 */
async function tryTwice(trials, extras, { folder, pins }) {
  /** @type {Check[]} */
  const checks = []
  /** @type {Trial[]} */
  const again = []
  for (const trial of trials) {
    const check = await outcome(trial)
    if (check.fault !== undefined && needsOneOf(Object.keys(extras), check.fault)) again.push(trial)
    else checks.push(check)
  }
  if (again.length === 0) return checks
  const specs = Object.entries(extras).map(([name, range]) => `${name}@${pins[name] ?? range}`)
  const added = await outcome({
    what: `installs with ${specs.join(' ')}`,
    go: () => exec('npm', ['install', ...installFlags, ...specs], { cwd: folder }),
  })
  checks.push(added)
  if (added.fault === undefined) for (const trial of again) checks.push(await outcome(trial))
  return checks
}

/** @param {readonly string[]} names @param {string} fault as Node says it when a package is not there */
function needsOneOf(names, fault) {
  const absent = [...fault.matchAll(/Cannot find (?:package|module) '([^']+)'/g)]
  return absent.some(([, name]) => names.some((each) => name === each || name?.startsWith(`${each}/`)))
}

/** @param {Packed} packed @param {string} readme @returns {Record<string, string>} */
function extrasOf({ name, manifest }, readme) {
  const peers = Object.entries(manifest.peerDependencies ?? {}).filter(
    ([peer]) => manifest.peerDependenciesMeta?.[peer]?.optional === true,
  )
  const named = installsIn(readme).filter((each) => each !== name)
  return { ...Object.fromEntries(named.map((each) => [each, '*'])), ...Object.fromEntries(peers) }
}

/** @param {string} folder */
async function refuseInstallScripts(folder) {
  const lock = JSON.parse(await readFile(path.join(folder, 'node_modules', '.package-lock.json'), 'utf8'))
  for (const [place, { hasInstallScript }] of Object.entries(lock.packages)) {
    const name = place.replace(/^.*node_modules\//, '')
    if (hasInstallScript === true && !knownInstallScripts.has(name))
      throw new Error(`${name} runs a script at install; read it, and name it in tools/install/alone.mjs if it is fine`)
  }
}

/** What a package and all it needs may take on disk, in MB; what only a Node without SQLite installs is not counted. */
const mostInstalled = 40

/** @param {string} folder */
async function refuseLarge(folder) {
  const modules = path.join(folder, 'node_modules')
  const entries = await readdir(modules, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
  const counted = files.filter((file) => !file.startsWith(path.join(modules, '@photostructure') + path.sep))
  const sizes = await Promise.all(counted.map(async (file) => (await stat(file)).size))
  const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6
  if (megabytes > mostInstalled) throw new Error(`it takes ${megabytes.toFixed(1)} MB with all it needs`)
}

/** @param {Packed} packed */
export function entriesOf({ manifest }) {
  return Object.keys(manifest.exports).filter((entry) => !entry.endsWith('.json') && !entry.includes('*'))
}

/** @param {Packed} packed */
function commandsOf({ name, manifest }) {
  if (manifest.bin === undefined) return []
  return typeof manifest.bin === 'string' ? [name.split('/')[1] ?? name] : Object.keys(manifest.bin)
}

/** @param {Packed} packed @param {string} entry @param {string} folder @returns {Trial} */
function importOf({ name }, entry, folder) {
  const specifier = path.posix.join(name, entry)
  const script = `if (Object.keys(await import(${JSON.stringify(specifier)})).length === 0) throw new Error('no exports')`
  return {
    what: `imports ${specifier}`,
    go: async () => exec(process.execPath, ['--input-type=module', '-e', script], await world(folder)),
  }
}

/** @param {string} command @param {string} folder @returns {Trial} */
function helpOf(command, folder) {
  const file = path.join(folder, 'node_modules', '.bin', command)
  return { what: `${command} --help`, go: async () => exec(file, ['--help'], await world(folder)) }
}

/** @param {Example} example @param {Setting} setting @returns {Trial} */
function runOf(example, setting) {
  return {
    what: `README line ${example.line}`,
    go: async () => {
      const here = await world(setting.folder)
      const { stdout } = await start(example, here, setting)
      if (example.output !== undefined && !isSameOutput(stdout, example.output))
        throw new Error(`it printed\n${stdout}\nand the README says\n${example.output}`)
    },
  }
}

/** @param {Example} example @param {Awaited<ReturnType<typeof world>>} here @param {Setting} setting */
async function start({ kind, code }, here, setting) {
  if (kind === 'sh') return exec('sh', ['-e', '-c', code], here)
  if (kind === 'ts') return exec(process.execPath, [await compiled(code, here.cwd, setting)], here)
  const file = path.join(here.cwd, kind === 'vitest' ? 'example.test.mjs' : 'example.mjs')
  await writeFile(file, code)
  if (kind === 'js') return exec(process.execPath, [file], here)
  // Asked for first by name, so that its absence reads like every other absent package.
  await exec(process.execPath, ['--input-type=module', '-e', `import.meta.resolve('vitest')`], here)
  return exec(path.join(here.cwd, '../node_modules/.bin/vitest'), ['run', '--root', here.cwd], here)
}

/** What a reader would paste into a strict project of their own. @param {string} code @param {string} cwd @param {Setting} setting */
async function compiled(code, cwd, { folder, pins, tsc }) {
  await installNodeTypes({ folder, pins })
  await writeFile(path.join(cwd, 'example.ts'), code)
  await writeFile(path.join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions: strictly, files: ['example.ts'] }))
  await exec(tsc, ['-p', cwd, '--pretty', 'false'], { cwd })
  return path.join(cwd, 'example.js')
}

/** Kept apart from what a package brings, and gone when npm next installs something. @param {Pick<Setting, 'folder' | 'pins'>} setting */
export async function installNodeTypes({ folder, pins }) {
  if (existsSync(path.join(folder, 'node_modules', '@types', 'node'))) return
  const types = `@types/node@${pins['@types/node'] ?? '*'}`
  await exec('npm', ['install', ...installFlags, '--no-save', types], { cwd: folder })
}

/**
 * A directory of its own below the folder, so that the package is found from there, and an environment in which nothing
 * reaches the person's own files and nothing of ours reaches the example (not even a wish for colours).
 * @param {string} folder
 */
async function world(folder) {
  const cwd = await mkdtemp(path.join(folder, 'run-'))
  const home = path.join(cwd, 'home')
  await mkdir(home)
  const kept = ['TMPDIR', 'LANG', 'TZ'].map((name) => [name, process.env[name]])
  const env = {
    ...Object.fromEntries(kept.filter(([, value]) => value !== undefined)),
    HOME: home,
    XDG_CACHE_HOME: path.join(home, '.cache'),
    PATH: `${path.join(folder, 'node_modules', '.bin')}${path.delimiter}${process.env['PATH'] ?? ''}`,
  }
  return { cwd, env }
}
