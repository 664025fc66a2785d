// @ts-check
/** Every package of the repository, packed as it would be published. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { exec } from './exec.mjs'

/**
 * @typedef {object} Manifest
 * @property {Record<string, unknown>} exports
 * @property {string | Record<string, string>} [bin]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, { readonly optional?: boolean }>} [peerDependenciesMeta]
 */

/**
 * @typedef {object} Packed
 * @property {string} name
 * @property {string} version
 * @property {string} tarball file path
 * @property {number} size bytes to download
 * @property {number} unpackedSize
 * @property {readonly string[]} files
 * @property {Manifest} manifest
 */

/**
 * @param {string} root
 * @param {string} into
 * @returns {Promise<Packed[]>}
 */
export async function packAll(root, into) {
  const { stdout } = await exec('npm', ['pack', '--workspaces', '--json', '--pack-destination', into], { cwd: root })
  /** @type {{ name: string, version: string, filename: string, size: number, unpackedSize: number, files: { path: string }[] }[]} */
  const rows = Object.values(JSON.parse(stdout))
  return Promise.all(
    rows.map(async ({ name, version, filename, size, unpackedSize, files }) => ({
      name,
      version,
      size,
      unpackedSize,
      tarball: path.join(into, path.basename(filename)),
      files: files.map((file) => file.path),
      manifest: await manifestOf(root, name),
    })),
  )
}

/** The most a package may take to download, in kB. Raise one on purpose, and say in the commit what its users get for it. */
const usualLimit = 600
/** @type {Readonly<Record<string, number>>} */
const limits = {
  'embedder-static': 7000,
  'storage-seam': 50,
  'backend-device-local': 20,
  'process-seam': 30,
  cli: 1300,
}

/** What is wrong with the contents, one sentence each. @param {Packed} packed */
export function faultsIn({ name, files, size }) {
  const limit = limits[name.split('/')[1] ?? name] ?? usualLimit
  const strays = files.filter((file) => /(^|\/)(test|bench)\/|\.test\.|\.bench\.|\.tsbuildinfo$/.test(file))
  const absent = ['LICENSE', 'README.md', 'package.json'].filter((file) => !files.includes(file))
  return [
    ...strays.map((file) => `${file} does not belong into a published package`),
    ...absent.map((file) => `${file} is absent`),
    ...(size > limit * 1000
      ? [`${(size / 1000).toFixed(0)} kB to download, and ${limit} are the most it may take`]
      : []),
  ]
}

/** @param {string} root @param {string} name @returns {Promise<Manifest>} */
async function manifestOf(root, name) {
  const folder = name.split('/')[1] ?? name
  return JSON.parse(await readFile(path.join(root, 'packages', folder, 'package.json'), 'utf8'))
}
