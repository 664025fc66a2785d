// @ts-check
/** Does what a page says, step by step, in a home and a directory that nobody else uses, and compares what it prints. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { guard } from '../guard.mjs'
import { exec } from '../install/exec.mjs'
import { installNodeTypes, strictly } from '../install/alone.mjs'
import { isSameOutput } from '../install/readme-examples.mjs'
import { stepsIn } from './page-steps.mjs'
import { settledOutput, withoutTimes } from './settled-output.mjs'

/**
 * @typedef {object} Stage
 * @property {string} folder an empty one, which becomes the home
 * @property {Readonly<Record<string, string>>} env what every command sees besides its home
 * @property {string} tsc
 * @property {Readonly<Record<string, string>>} pins third-party versions that are known to work here
 * @property {Readonly<Record<string, string>>} [places] what the page prints, and what stands for it here: an address, a port
 */

/**
 * @typedef {object} Told
 * @property {number} line
 * @property {string} said what it printed
 * @property {string} [fault]
 * @property {{ readonly from: string, readonly to: string }} [otherwise] the page says one thing, and it printed another
 */

const timeoutMs = 240_000

/** Ends with the first command that fails, because what comes after it is built on it. @param {string} page @param {Stage} stage @returns {Promise<Told[]>} */
export async function playPage(page, stage) {
  const play = new Play(stage)
  await play.prepare()
  /** @type {Told[]} */
  const told = []
  for (const step of stepsIn(page)) {
    if (step.kind === 'not run') continue
    if (step.kind === 'file') await play.write(step)
    else {
      const outcome = await play.run(step)
      told.push({ line: step.line, ...outcome })
      if (outcome.fault !== undefined && outcome.otherwise === undefined) break
    }
  }
  play.end()
  if (told.every(({ fault }) => fault === undefined)) await play.check()
  return told
}

class Play {
  #stage
  #state
  /** @type {number[]} */
  #groups = []
  /** Programs the page writes, and where its reader was then. @type {Map<string, string>} */
  #programs = new Map()

  /** @param {Stage} stage */
  constructor(stage) {
    this.#stage = stage
    this.#state = path.join(stage.folder, '.page')
  }

  async prepare() {
    await mkdir(this.#state, { recursive: true })
    await writeFile(path.join(this.#state, 'cwd'), this.#stage.folder)
    await writeFile(path.join(this.#state, 'env'), '')
  }

  /** @param {import('./page-steps.mjs').FileStep} step */
  async write({ name, text }) {
    const folder = await this.#cwd()
    const file = path.resolve(folder, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, this.#placed(text))
    if (file.endsWith('.ts')) this.#programs.set(file, folder)
  }

  /** @param {import('./page-steps.mjs').RunStep} step @returns {Promise<Omit<Told, 'line'>>} */
  async run({ kind, code, exit, asks, output, line }) {
    const command = kind === 'sh' ? code : await this.#program(code, line)
    const { ended, said: raw } = asks ? await this.#typeAtTerminal(command) : await this.#type(this.#placed(command))
    const said = settledOutput(this.#unplaced(raw), { home: this.#stage.folder, host: os.hostname() })
    if (ended !== exit) return { said, fault: `it ended with ${ended}, and printed\n${said}` }
    if (output !== undefined && !isSameOutput(withoutTimes(said), withoutTimes(output)))
      return { said, fault: `it printed\n${said}\nand the page says\n${output}`, otherwise: { from: output, to: said } }
    return { said }
  }

  /** Programs with a name are run by the commands of the page; here they are held to a strict project, where everything is installed. */
  async check() {
    for (const folder of new Set(this.#programs.values())) {
      const files = [...this.#programs.keys()].filter((file) => this.#programs.get(file) === folder)
      await this.#compile(folder, { files, noEmit: true })
    }
  }

  /** What a fence left running does not outlive the page. */
  end() {
    for (const group of this.#groups)
      try {
        process.kill(-group, 'SIGKILL')
      } catch (error) {
        // Nothing of it is left.
        if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
      }
  }

  /**
   * Each fence is a shell of its own, so that what a fence leaves running does not hold up the next one; the directory and the
   * variables go on from one to the next as they would in one terminal.
   * @param {string} code
   */
  async #type(code) {
    const script = await this.#script(`exec > '${path.join(this.#state, 'screen')}' 2>&1 < /dev/null\n${code}`)
    const ended = await this.#ended(this.#start('bash', [script]))
    return { ended, said: await readFile(path.join(this.#state, 'screen'), 'utf8') }
  }

  /** Whoever sits there types the number that is shown, once. @param {string} code */
  async #typeAtTerminal(code) {
    const child = this.#start('script', ['-qec', `bash ${await this.#script(code)}`, '/dev/null'])
    let screen = ''
    child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ piece) => {
      screen += piece
      const asked = /type (\d+): /.exec(screen)
      if (asked !== null && child.stdin.writable) child.stdin.end(`${asked[1]}\n`)
    })
    const ended = await this.#ended(child)
    // oxlint-disable-next-line no-control-regex -- what a terminal makes of it
    return { ended, said: screen.replaceAll(/\u001b\[[\d;?]*[A-Za-z]|\r/g, '') }
  }

  /** @param {string} code */
  async #script(code) {
    const script = path.join(this.#state, 'fence.sh')
    const before = [
      `cd "$(cat '${this.#state}/cwd')"; . '${this.#state}/env'`,
      `trap "pwd > '${this.#state}/cwd'; export -p > '${this.#state}/env'" EXIT`,
      'set -e',
    ]
    await writeFile(script, [...before, code].join('\n'))
    return script
  }

  /** @param {string} command @param {readonly string[]} args */
  #start(command, args) {
    const { folder, env } = this.#stage
    const child = spawn(command, args, { cwd: folder, env: { ...env, HOME: folder }, stdio: 'pipe', detached: true })
    guard(child, { signal: 'KILL' })
    if (child.pid !== undefined) this.#groups.push(child.pid)
    return child
  }

  /** @param {import('node:child_process').ChildProcess} child */
  async #ended(child) {
    const late = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
    const [status, signal] = await once(child, 'exit')
    clearTimeout(late)
    return status ?? signal
  }

  /** A program that the page shows without a name: compiled strictly where its reader is, and started. @param {string} code @param {number} line */
  async #program(code, line) {
    const file = path.join(await this.#cwd(), `line-${line}.mts`)
    await writeFile(file, this.#placed(code))
    await this.#compile(path.dirname(file), { files: [file], noEmit: false })
    return `node line-${line}.mjs`
  }

  /** @param {string} folder @param {{ readonly files: readonly string[], readonly noEmit: boolean }} what */
  async #compile(folder, { files, noEmit }) {
    const { pins, tsc } = this.#stage
    await installNodeTypes({ folder, pins })
    const config = path.join(folder, 'page.tsconfig.json')
    const compilerOptions = { ...strictly, rewriteRelativeImportExtensions: true, skipLibCheck: true, noEmit }
    await writeFile(config, JSON.stringify({ compilerOptions, files }))
    await exec(tsc, ['-p', config, '--pretty', 'false'], { cwd: folder })
  }

  async #cwd() {
    return (await readFile(path.join(this.#state, 'cwd'), 'utf8')).trim()
  }

  /** @param {string} text */
  #unplaced(text) {
    return Object.entries(this.#stage.places ?? {}).reduce((sofar, [said, here]) => sofar.replaceAll(here, said), text)
  }

  /** @param {string} text */
  #placed(text) {
    return Object.entries(this.#stage.places ?? {}).reduce((sofar, [said, here]) => sofar.replaceAll(said, here), text)
  }
}
