// @ts-check
/** `npm run eval -- NAME …`: quality against labelled data, tools/eval/NAME.mjs. Installs what it compares with on first use. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root, run } from '../run.mjs'

const here = import.meta.dirname
const known = readdirSync(here)
  .filter((file) => file.endsWith('.mjs') && file !== 'main.mjs')
  .map((file) => file.slice(0, -'.mjs'.length))
const [name = '', ...options] = process.argv.slice(2)
const usage = `Usage: npm run eval -- NAME [OPTIONS]

Quality against labelled data. NAME is one of: ${known.join(', ')}. What an evaluation takes: npm run eval -- NAME --help`

process.exitCode = known.includes(name) ? await evaluate() : explain()

function explain() {
  if (name === '--help' || name === '-h') {
    console.log(usage)
    return 0
  }
  const wrong = name === '' ? 'name an evaluation' : `no evaluation is called ${name}`
  console.error(`${wrong}; there are: ${known.join(', ')}. See npm run eval -- --help.`)
  return 2
}

/** From the head of its file: loading it would take what it compares with, which may not be installed. */
function describe() {
  const text = readFileSync(path.join(here, `${name}.mjs`), 'utf8')
  const [, head = ''] = /\/\*\*\n([\s\S]*?)\n \*\//.exec(text) ?? []
  console.log(head.replaceAll(/^ \* ?/gm, ''))
  return 0
}

async function evaluate() {
  if (options.includes('--help') || options.includes('-h')) return describe()
  if ((await run(path.join(root, 'node_modules', '.bin', 'tsc'), ['-b'])) !== 0) throw new Error('the build failed')
  if (!existsSync(path.join(here, 'node_modules'))) {
    const quiet = ['--no-audit', '--no-fund', '--ignore-scripts']
    if ((await run('npm', ['ci', '--prefix', here, ...quiet])) !== 0)
      throw new Error('the peers could not be installed')
  }
  return run(process.execPath, [path.join(here, `${name}.mjs`), ...options])
}
