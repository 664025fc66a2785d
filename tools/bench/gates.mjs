// @ts-check
/** How long the gates take, compared with a full build of the same tree. Both run in a copy of this repository. */
import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, rm, symlink } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { root } from '../run.mjs'
import { compare, interleave } from './frame.mjs'

const exec = promisify(execFile)
const build = 'tsc6 -b, cold'
const native = 'tsc -b, cold (native)'

export const packages = ['@agentm/gates', 'typescript', '@typescript/native']

/** @type {readonly import('./frame.mjs').Case[]} */
export const cases = [
  {
    id: 'G1',
    what: 'all gates over this repository',
    unit: 's',
    better: 'less',
    goals: [{ of: build, atLeast: 1 }],
    async measure({ repeats, scale, scratch }) {
      const tree = path.join(scratch, 'tree')
      const files = await copyTree(tree)
      const builder = (/** @type {string} */ name) => async () => {
        await unbuild(tree)
        return seconds(() => exec(path.join(root, 'node_modules', '.bin', name), ['-b'], { cwd: tree }))
      }
      await builder('tsc')()
      const check = () => exec(process.execPath, ['packages/gates/bin/agentm-gates.mjs'], { cwd: tree })
      const figures = await interleave(
        { ours: async () => seconds(check), [build]: builder('tsc6'), [native]: builder('tsc') },
        Math.max(1, Math.min(3, Math.round((repeats * scale) / 8))),
      )
      return {
        ...compare(figures, 'less'),
        notes: [`${files} files; a build checks every type and writes every package`],
      }
    },
  },
]

/** What is versioned, with the installed packages beside it. @param {string} tree */
async function copyTree(tree) {
  const listed = await exec('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    maxBuffer: 1 << 26,
  })
  const files = listed.stdout.split('\0').filter((file) => file !== '')
  for (const file of files) await cp(path.join(root, file), path.join(tree, file), { verbatimSymlinks: true })
  await exec('git', ['init', '-q'], { cwd: tree })
  await linkPackages(tree)
  return files.length
}

/** Others as they are installed; ours from the copy. @param {string} tree */
async function linkPackages(tree) {
  const installed = path.join(root, 'node_modules')
  const linked = path.join(tree, 'node_modules')
  await mkdir(path.join(linked, '@agentm'), { recursive: true })
  for (const name of await readdir(installed))
    if (name !== '@agentm' && name !== '.cache') await symlink(path.join(installed, name), path.join(linked, name))
  for (const name of await readdir(path.join(tree, 'packages'))) {
    await symlink(path.join(tree, 'packages', name), path.join(linked, '@agentm', name))
    const own = path.join(root, 'packages', name, 'node_modules')
    await symlink(own, path.join(tree, 'packages', name, 'node_modules')).catch(() => undefined)
  }
}

/** @param {string} tree */
async function unbuild(tree) {
  await rm(path.join(tree, 'node_modules', '.cache'), { recursive: true, force: true })
  for (const name of await readdir(path.join(tree, 'packages')))
    await rm(path.join(tree, 'packages', name, 'dist'), { recursive: true, force: true })
}

/** @param {() => Promise<unknown>} work */
async function seconds(work) {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}
