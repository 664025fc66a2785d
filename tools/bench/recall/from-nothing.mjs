// @ts-check
/** Commands that agents start and wait for, each in a fresh process. */
import { spawn } from 'node:child_process'
import { compare, interleave } from '../frame.mjs'
import { agentm, filledHome } from './filled-home.mjs'
import { proseFrom } from './prose.mjs'

/** @typedef {import('../frame.mjs').Case['measure']} Measure */

/** @param {number} size @returns {Measure} */
export function coldRecall(size) {
  return async ({ repeats, scale }) => {
    const home = await filledHome(size)
    const prose = proseFrom(3)
    const figures = await interleave(
      {
        ours: async () => {
          const note = prose.pick(home.notes)
          const { took, said } = await started([agentm, 'recall', `what about ${note.title}?`], home)
          if (!said.includes(note.title)) throw new Error(`recall did not find ${note.title}: ${said}`)
          return took
        },
        floor: async () => (await started(['-e', '0'], home)).took,
      },
      Math.max(3, Math.round(repeats * scale)),
    )
    return { ...compare(figures, 'less'), notes: ['the floor is node -e 0'] }
  }
}

/** @param {number} size @returns {Measure} */
export function promptHook(size) {
  return async ({ repeats, scale }) => {
    const home = await filledHome(size)
    const prose = proseFrom(5)
    const rounds = Math.max(3, Math.round(repeats * scale))
    let [silent, half] = [0, 0]
    const figures = await interleave(
      {
        ours: async () => {
          const prompt = prose.questionAbout(prose.pick(home.notes))
          const { took, said } = await started([agentm, 'hook', 'prompt-submit'], home, { cwd: home.cwd, prompt })
          if (said === '') silent += 1
          else if (!said.startsWith('From memory: ') || !said.endsWith('\n')) half += 1
          return took
        },
        floor: async () => (await started(['-e', '0'], home)).took,
      },
      rounds,
    )
    return {
      ...compare(figures, 'less'),
      counts: { silent, half },
      notes: [`of ${rounds} prompts, each about a note that is there; silent where 300 ms were not enough`],
    }
  }
}

/**
 * @param {readonly string[]} args @param {{ readonly cwd: string, readonly env: NodeJS.ProcessEnv }} where
 * @param {unknown} [input] what it reads
 * @returns {Promise<{ took: number, said: string }>}
 */
function started(args, { cwd, env }, input) {
  return new Promise((done, failed) => {
    const from = performance.now()
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] })
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ text) => (said += text))
    child.on('error', failed)
    child.on('close', (code) => {
      if (code === 0) done({ took: performance.now() - from, said })
      else failed(new Error(`${args.join(' ')} ended with ${code}`))
    })
    child.stdin.end(input === undefined ? '' : JSON.stringify(input))
  })
}
