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

/** The calls, one per reply. @type {Readonly<Record<'loop' | 'claude-code' | 'codex', (n: number, directory: string) => readonly PartCall[]>>} */
export const partCalls = {
  loop: (n) => [
    ['files_read', { path: 'list.txt' }],
    ['files_edit', { path: 'list.txt', edits: [{ find: `part ${n} open`, replace: `part ${n} done` }] }],
    ['files_write', { path: `part${n}.txt`, text: `part ${n}\n` }],
  ],
  'claude-code': (n, directory) => [
    ['Read', { file_path: `${directory}/list.txt` }],
    ['Edit', { file_path: `${directory}/list.txt`, old_string: `part ${n} open`, new_string: `part ${n} done` }],
    ['Write', { file_path: `${directory}/part${n}.txt`, content: `part ${n}\n` }],
  ],
  codex: (n) => [
    ['exec_command', { cmd: 'cat list.txt' }],
    [
      'exec_command',
      {
        cmd: `apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: list.txt\n@@\n-part ${n} open\n+part ${n} done\n*** Add File: part${n}.txt\n+part ${n}\n*** End Patch\nEOF`,
      },
    ],
  ],
}
