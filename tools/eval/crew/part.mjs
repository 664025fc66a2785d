// @ts-check
/** What each of eight agents does in one repository: a line of a file that all of them change, and a file of its own. */

/** @typedef {readonly [tool: string, input: Readonly<Record<string, unknown>>]} PartCall */

/** The prompt of a part. @param {number} n */
export function promptOf(n) {
  return `Do part ${n}: in list.txt, say that it is done. Then write part${n}.txt.`
}

/** Which part a conversation is about. @param {string} text */
export function partOf(text) {
  return Number(/\bpart (\d)\b/u.exec(text)?.[1] ?? 0)
}

/**
 * The next call, or `undefined` when the part is done. `results` are those since the last prompt. An agent that was killed between its two
 * changes is asked to look which changes have taken effect, so each begins with a look at both files, and changes only what is not there yet.
 * @type {Readonly<Record<'loop' | 'claude-code' | 'codex', (n: number, now: { readonly results: readonly string[], readonly directory?: string }) => PartCall | undefined>>}
 */
export const nextPartCall = {
  loop: (n, { results }) =>
    inTurn(results, [
      ['files_read', { path: 'list.txt' }],
      ['files_edit', { path: 'list.txt', edits: [{ find: `part ${n} open`, replace: `part ${n} done` }] }],
      ['files_write', { path: `part${n}.txt`, text: `part ${n}\n` }],
    ]),
  'claude-code'(n, { results, directory }) {
    const [list, own] = [`${directory}/list.txt`, `${directory}/part${n}.txt`]
    const { isListed, isWritten } = madeOf(n, results)
    return inTurn(results, [
      ['Read', { file_path: list }],
      ['Read', { file_path: own }],
      ...calls(!isListed, 'Edit', { file_path: list, old_string: `part ${n} open`, new_string: `part ${n} done` }),
      ...calls(!isWritten, 'Write', { file_path: own, content: `part ${n}\n` }),
    ])
  },
  codex(n, { results }) {
    const { isListed, isWritten } = madeOf(n, results)
    const patch = [
      ...(isListed ? [] : ['*** Update File: list.txt', '@@', `-part ${n} open`, `+part ${n} done`]),
      ...(isWritten ? [] : [`*** Add File: part${n}.txt`, `+part ${n}`]),
    ]
    const lines = ["apply_patch <<'EOF'", '*** Begin Patch', ...patch, '*** End Patch', 'EOF']
    return inTurn(results, [
      ['exec_command', { cmd: `cat list.txt part${n}.txt` }],
      ...calls(patch.length > 0, 'exec_command', { cmd: lines.join('\n') }),
    ])
  },
}

/** @param {readonly string[]} results @param {readonly PartCall[]} all */
function inTurn(results, all) {
  return all[results.length]
}

/** @param {boolean} isNeeded @param {string} tool @param {PartCall[1]} input @returns {readonly PartCall[]} */
function calls(isNeeded, tool, input) {
  return isNeeded ? [[tool, input]] : []
}

/** What the look at both files showed: the two first results, or one for both. @param {number} n @param {readonly string[]} results */
function madeOf(n, results) {
  const seen = results.slice(0, 2).join('\n')
  return {
    isListed: seen.includes(`part ${n} done`),
    isWritten: new RegExp(String.raw`^\s*(?:\d+\W+)?part ${n}$`, 'mu').test(seen),
  }
}
