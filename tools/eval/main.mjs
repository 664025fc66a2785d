// @ts-check
/** `npm run eval -- NAME …`: quality against labelled data, tools/eval/NAME.mjs. Installs what it compares with on first use. */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { root, run } from '../run.mjs'

const here = import.meta.dirname
const known = readdirSync(here)
  .filter((file) => file.endsWith('.mjs') && file !== 'main.mjs')
  .map((file) => file.slice(0, -'.mjs'.length))
const [name = '', ...options] = process.argv.slice(2)

process.exitCode = known.includes(name) ? await evaluate() : explain()

function explain() {
  console.error(
    `${name === '' ? 'name an evaluation' : `no evaluation is called ${name}`}; there are: ${known.join(', ')}`,
  )
  return 2
}

async function evaluate() {
  if ((await run(path.join(root, 'node_modules', '.bin', 'tsc'), ['-b'])) !== 0) throw new Error('the build failed')
  if (!existsSync(path.join(here, 'node_modules'))) {
    const quiet = ['--no-audit', '--no-fund', '--ignore-scripts']
    if ((await run('npm', ['ci', '--prefix', here, ...quiet])) !== 0)
      throw new Error('the peers could not be installed')
  }
  return run(process.execPath, [path.join(here, `${name}.mjs`), ...options])
}
