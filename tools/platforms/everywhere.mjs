// @ts-check
/**
 * What is published, on other runtimes than the Node of this machine: Bun, Deno, and Windows' own Node under Wine. The first minute
 * of each is a transcript in docs/reference/platforms.md.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir, realpath, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { exec } from '../install/exec.mjs'
import { outcome } from '../install/outcome.mjs'
import { firstDifference, transcriptIn, withTranscript } from './page.mjs'
import { fetchRuntimes } from './runtimes.mjs'
import { playFirstMinute, tryPackages } from './try-packages.mjs'
import { openWine, windowsPath } from './wine.mjs'

/** @typedef {import('../install/outcome.mjs').Check} Check */

/**
 * @typedef {object} Published
 * @property {string} scratch
 * @property {string} scope
 * @property {string} registry where packages of the scope come from
 * @property {unknown} overrides
 * @property {string} page the file of the transcripts
 * @property {boolean} writes whether the page gets what was played, instead of being compared with it
 */

/** @typedef {{ readonly checks: readonly Check[], readonly skipped: readonly { readonly what: string, readonly why: string }[] }} Tried */

/** @param {Published} published @returns {Promise<Tried>} */
export async function tryEverywhere(published) {
  const scratch = path.join(await realpath(published.scratch), 'everywhere')
  await mkdir(scratch, { recursive: true })
  const tried = await Promise.all([onRuntimes(published, scratch), onWindows(published, scratch)])
  return { checks: tried.flatMap(({ checks }) => checks), skipped: tried.flatMap(({ skipped }) => skipped) }
}

/** @param {Published} published @param {string} scratch @returns {Promise<Tried>} */
async function onRuntimes(published, scratch) {
  const { found, absent } = await fetchRuntimes(path.join(scratch, 'runtimes'))
  if (absent !== undefined) return { checks: [], skipped: [{ what: 'Bun and Deno', why: absent }] }
  const folder = path.join(scratch, 'linux')
  await install(published, { folder, names: ['cli', 'conformance'] })
  const { scope } = published
  const checks = await Promise.all(
    found.map(async (runtime) => {
      const [program, ...flags] = runtime.command
      const minute = await firstMinute(published, runtime.name, async () =>
        playFirstMinute(
          async ([script, transcript]) =>
            exec(program, [...flags, script, agentmIn(folder, scope), transcript], { cwd: folder }),
          folder,
        ),
      )
      return [minute, ...(await tryPackages(runtime, { folder, scope }))]
    }),
  )
  return { checks: checks.flat(), skipped: [] }
}

/** @param {Published} published @param {string} scratch @returns {Promise<Tried>} */
async function onWindows(published, scratch) {
  const home = path.join(scratch, 'windows')
  await mkdir(home)
  const wine = await openWine(home)
  if ('absent' in wine) return { checks: [], skipped: [{ what: 'the first minute on Windows', why: wine.absent }] }
  try {
    const folder = path.join(wine.drive, 'app')
    await install(published, { folder, names: ['cli'], flags: ['--os=win32', '--cpu=x64'] })
    const check = await firstMinute(published, 'Windows', async () =>
      playFirstMinute(async ([script, transcript]) => {
        const words = [script, agentmIn(folder, published.scope), transcript].map(windowsPath)
        const { code, printed } = await wine.node(words, { cwd: folder, timeoutMs: 600_000 })
        if (code !== 0) throw new Error(`it ended with ${code}\n${printed}`)
      }, folder),
    )
    return { checks: [check], skipped: [] }
  } finally {
    await wine.close()
  }
}

/**
 * @param {Published} published
 * @param {string} name
 * @param {() => Promise<string>} play
 */
async function firstMinute({ page, writes }, name, play) {
  return outcome({
    what: `the first minute on ${name}`,
    go: async () => {
      const transcript = await play()
      // Read and written in one go: others write beside us.
      const text = readFileSync(page, 'utf8')
      if (writes) return writeFileSync(page, withTranscript(text, name, transcript))
      const difference = firstDifference(transcript, transcriptIn(text, name) ?? '')
      if (difference !== undefined)
        throw new Error(`${difference}\nWhere that is right: node tools/install-test.mjs --runtimes --write`)
    },
  })
}

/**
 * @param {Published} published
 * @param {{ readonly folder: string, readonly names: readonly string[], readonly flags?: readonly string[] }} what
 */
async function install({ scope, registry, overrides }, { folder, names, flags = [] }) {
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', overrides }))
  await writeFile(path.join(folder, '.npmrc'), `${scope}:registry=${registry}\n`)
  const usual = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  await exec('npm', ['install', ...usual, ...flags, ...names.map((name) => `${scope}/${name}`)], { cwd: folder })
}

/** @param {string} folder @param {string} scope */
function agentmIn(folder, scope) {
  return path.join(folder, 'node_modules', scope, 'cli/bin/agentm.mjs')
}
