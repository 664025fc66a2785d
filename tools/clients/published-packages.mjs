// @ts-check
/** Our packages as they would be published, in a registry on loopback, for a home in which `npx @agentm/cli` brings them. */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { loopbackRegistry } from '../install/loopback-registry.mjs'
import { packAll } from '../install/packed.mjs'
import { root } from '../run.mjs'

/**
 * Packs everything into `directory`. Other packages come from the registry of npm.
 * @param {string} directory
 */
export async function publishedPackages(directory) {
  await mkdir(directory, { recursive: true })
  const registry = await loopbackRegistry(await packAll(root, directory))
  return {
    /** @param {string} home */
    useIn: (home) =>
      writeFile(
        path.join(home, '.npmrc'),
        `@agentm:registry=${registry.url}\nupdate-notifier=false\nfund=false\naudit=false\n`,
      ),
    close: () => registry.close(),
  }
}
