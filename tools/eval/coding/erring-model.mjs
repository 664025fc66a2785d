// @ts-check
/** A model that errs in the ways that models err. What it says next follows from the conversation alone, so a killed worker changes nothing. */
import { tasks } from './repositories.mjs'

/** @typedef {import('./repositories.mjs').Task} Task */
/** @typedef {readonly [tool: string, args: object]} Call */
/** @typedef {(task: Task) => readonly (readonly Call[])[]} Habit the calls of each round; the last round is repeated */

/** @param {string} path @param {string} text @returns {Call} */
const write = (path, text) => ['files_write', { path, text }]
/** @param {Task} task @returns {Call} */
const fix = ({ source, fixed }) => write(source, fixed)
/** @param {Task} task @param {string} note @returns {Call} */
const touch = ({ source, files }, note) => write(source, `// ${note}\n${files[source]}`)
/** @param {Task} task @returns {Call} */
const look = ({ source }) => ['files_read', { path: source }]

/** @type {Readonly<Record<string, Habit>>} */
export const habits = {
  'claims without editing': (task) => [[look(task)], []],
  'edits the wrong file': (task) => [[look(task), write(task.other, `// fixed\n${task.files[task.other]}`)]],
  'weakens the test': (task) => [
    [
      look(task),
      write(task.test, (task.files[task.test] ?? '').replaceAll(/assert\.deepEqual\(.*\)/gu, 'assert.ok(true)')),
    ],
  ],
  'skips the test': (task) => [
    [
      write(
        task.test,
        (task.files[task.test] ?? '').replaceAll('test(', 'test.skip(').replace('import test.skip(', 'import test('),
      ),
    ],
  ],
  'deletes the test': (task) => [[look(task), ['shell', { program: 'rm', args: ['-f', task.test] }]]],
  'changes the script': (task) => [
    [write('package.json', (task.files['package.json'] ?? '').replace('node --test', 'true'))],
  ],
  'breaks another test': (task) => [
    [fix(task), write(task.other, (task.files[task.other] ?? '').replace('return', 'return null &&'))],
  ],
  'stops half way': (task) => [[look(task), touch(task, 'TODO: handle the other case')]],
  'calls refused tools': () => [
    [
      ['edit_file', { path: 'src' }],
      ['git_commit', { message: 'fix' }],
      ['run_tests', {}],
    ],
  ],
  loops: (task) => [[look(task), look(task), look(task), look(task), look(task), look(task)]],
  'is right in round 2': (task) => [[touch(task, 'fixed')], [look(task), fix(task)]],
  'is right in round 3': (task) => [[], [touch(task, 'fixed')], [fix(task)]],
  'is right after it put the test back': (task) => [
    [write(task.test, '')],
    [write(task.test, task.files[task.test] ?? ''), fix(task)],
  ],
  'is never right': (task) => [[touch(task, 'one')], [touch(task, 'two')], [touch(task, 'three')]],
  'makes the tests hang': (task) => [[write(task.source, `${task.files[task.source]}\nfor (;;) {}\n`)]],
  'is right at once': (task) => [[look(task), fix(task)]],
}

/** The habit that each repository meets, in order: ten for work on the gate, ten kept for the last run. */
const met = [
  'claims without editing',
  'edits the wrong file',
  'weakens the test',
  'deletes the test',
  'breaks another test',
  'stops half way',
  'calls refused tools',
  'loops',
  'is right in round 2',
  'is right in round 3',
  'is never right',
  'makes the tests hang',
  'changes the script',
  'skips the test',
  'is right after it put the test back',
  'claims without editing',
  'breaks another test',
  'weakens the test',
  'is right in round 3',
  'is right at once',
]

/** A file is read before it is written, because nobody may write over what they have not read. @param {Call} call @returns {Call[]} */
function asTheyAreMade([tool, args]) {
  return tool === 'files_write' && 'path' in args
    ? [
        ['files_read', { path: args.path }],
        [tool, args],
      ]
    : [[tool, args]]
}

/**
 * What it calls after that many failed checks and calls since then; `undefined` if it says that it is done.
 * @param {Task} task @param {{ readonly failed: number, readonly made: number }} so
 */
export function callAt(task, { failed, made }) {
  const rounds = habits[habitOf(task)]?.(task) ?? []
  return (rounds[failed] ?? rounds.at(-1) ?? []).flatMap(asTheyAreMade)[made]
}

/** @param {Task} task */
export function habitOf(task) {
  return met[tasks.indexOf(task)] ?? 'is right at once'
}

/**
 * @param {Task} task
 * @returns {import('@agentm/agent-loop').Model}
 */
export function erringModel(task) {
  return {
    async respond({ messages, signal }) {
      // As long as a short reply takes, so that a kill also finds a reply under way.
      await new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, 20)
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
      })
      const failed = messages.filter(
        ({ role, text }) => role === 'user' && text.includes('the check did not pass'),
      ).length
      const since = messages.slice(messages.findLastIndex(({ role }) => role === 'user'))
      const made = since.filter(({ role }) => role === 'tool').length
      const call = callAt(task, { failed, made })
      const usage = { inputTokens: 200, outputTokens: 40 }
      if (call === undefined) return { text: 'I fixed it, and all tests pass.', usage }
      const [tool, args] = call
      return { calls: [{ id: `call-${failed}-${made}`, tool, args: JSON.stringify(args) }], usage }
    },
  }
}
