// @ts-check
/**
 * Builds skills/memory/scripts/vault-lock.mjs: all of @agentm/vault-lock in one file, for scripts that are copied to
 * places without node_modules. The same sources give the same bytes. `--check` fails when the file there is another one.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './run.mjs'

/** Where the copy lies, from the root of the repository. */
export const vendored = 'skills/memory/scripts/vault-lock.mjs'

const banner =
  '// @agentm/vault-lock in one file, made from packages/vault-lock by `npm run vendor`. Change it there, never here.'

/** @returns {Promise<string>} what the file has to hold */
export async function bundleVaultLock() {
  // Not imported at the top: the bundler cannot be required, and Nx requires this module.
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    cwd: root,
    input: './packages/vault-lock/src/index.ts',
    platform: 'node',
    tsconfig: false,
    external: /^node:/,
    resolve: { conditionNames: ['@agentm/source', 'node', 'import', 'default'] },
  })
  const { output } = await bundle.generate({ format: 'esm', banner, codeSplitting: false })
  await bundle.close()
  const [chunk, ...others] = output
  if (others.length > 0 || chunk.imports.some((name) => !name.startsWith('node:')))
    throw new TypeError(`the copy would need more than one file and Node: ${chunk.imports.join(', ')}`)
  return chunk.code
}

/** @param {string} file @returns {string | undefined} */
function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** @param {boolean} check */
async function vendor(check) {
  const file = path.join(root, vendored)
  const code = await bundleVaultLock()
  if (!check) {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, code)
  } else if (readIfThere(file) !== code) {
    console.error(`${vendored} is not what its sources make. Run: npm run vendor`)
    process.exitCode = 1
  }
}

// No await out here: Nx requires this module.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) void vendor(process.argv.includes('--check'))
