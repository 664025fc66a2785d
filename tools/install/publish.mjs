// @ts-check
/** Publishes what was packed, by the command a release uses, to a registry that is not the real one. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { exec } from './exec.mjs'

/** @param {readonly import('./packed.mjs').Packed[]} packages @param {{ readonly registry: string, readonly scratch: string }} where */
export async function publishAll(packages, { registry, scratch }) {
  const userconfig = path.join(scratch, 'publish.npmrc')
  // npm publishes nothing without credentials, also where nobody asks for them.
  await writeFile(userconfig, `${registry.replace('http:', '')}:_authToken=nobody-asks\n`)
  const queue = [...packages]
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      await exec('npm', ['publish', next.tarball, '--registry', registry, '--userconfig', userconfig], { cwd: scratch })
  }
  await Promise.all([work(), work()])
}
