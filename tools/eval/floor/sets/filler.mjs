// @ts-check
/**
 * Notes of a project that share the vocabulary of ordinary prompts: decisions, pitfalls, conventions and commands about its parts. Each has
 * a title and a text; `{slot}` is filled from `slots.mjs` and from the lists below.
 */

export const own = {
  person: ['Amara', 'Björn', 'Chiara', 'Dmitri', 'Esther', 'Farid', 'Grace', 'Hugo', 'Ines', 'Kofi'],
  why: [
    'because the old way lost data twice',
    'since customers complained',
    'because it was slow on large inputs',
    'since nobody understood it',
    'because two teams need it',
    'after the incident in spring',
    'as the vendor recommends',
    'to keep the build below five minutes',
    'because reviews took too long',
    'since it broke on Windows',
  ],
  tool: ['make', 'npm run', 'just', 'cargo', 'poetry run', 'bazel run', 'go run', './scripts/'],
  place: ['the wiki', 'docs/', 'the runbook', 'the team channel', 'the ticket', 'the design document'],
  // Of the names and errors that people ask about, notes mention few.
  symbol: [
    'parseConfig',
    'render',
    'handleClick',
    'retry',
    'buildIndex',
    'connect',
    'closeAll',
    'scanLines',
    'toRow',
    'pickNext',
    'shrink',
    'walkTree',
  ],
  file: [
    'src/parser.ts',
    'lib/cache.js',
    'cmd/server/main.go',
    'src/lib.rs',
    'src/scan.ts',
    'app/jobs.py',
    'internal/wire/wire.go',
    'web/list.tsx',
  ],
  error: [
    'EPIPE: broken pipe',
    'IntegrityError: duplicate key',
    'context deadline exceeded',
    'stack overflow',
    '502 bad gateway',
    'checksum mismatch',
    'too many open files',
    'stale file handle',
  ],
  env: ['staging', 'production', 'the test cluster', 'local development', 'the preview environment'],
}

/** @type {readonly (readonly [kind: string, title: string, text: string])[]} */
export const fillers = [
  [
    'decision',
    '{part}: keep the {thing} in memory',
    'The {part} keeps each {thing} in memory for {number} minutes {why}. {person} measured {number2} ms per request before.',
  ],
  [
    'decision',
    'The {part} talks to the {part2} by events',
    'Direct calls from the {part} to the {part2} were removed {why}. Each event names the {thing} and its version.',
  ],
  [
    'decision',
    'No shared state in the {part}',
    'The {part} gets its {thing} as an argument {why}. Global variables made the tests depend on their order.',
  ],
  ['decision', 'Retries in the {part}', 'The {part} retries {number} times with a pause of {number2} seconds {why}.'],
  [
    'decision',
    '{part} in TypeScript',
    'The {part} was rewritten in TypeScript {why}. The old code stays in the branch legacy-{word} until {env} is switched.',
  ],
  [
    'decision',
    'Split of the {part}',
    'The {part} is split into reading, checking and writing of a {thing} {why}. Only the writing part may open the database.',
  ],
  [
    'decision',
    'Limit for {thing} uploads',
    'A {thing} may have {number} MB in {env}. Larger ones are refused by the {part} {why}.',
  ],
  ['decision', '{thing} identifiers', 'A {thing} is identified by a ULID made in the {part} {why}.'],
  [
    'decision',
    'Who owns the {part}',
    '{person} owns the {part}; {person2} stands in. Changes to its tests need a review of either.',
  ],
  [
    'decision',
    '{thing} page loads lazily',
    'The list of each {thing} loads {number} rows at first {why}. The rest follows when the user scrolls.',
  ],
  [
    'issue',
    '{part} fails on empty {thing}',
    'The {part} failed with "{error}" when the {thing} was empty. Fixed in {number}.{number2} by checking it in {symbol}.',
  ],
  [
    'issue',
    'Flaky {part} test',
    'A test of the {part} fails about once in {number} runs, when the {part2} answers late. {person} is looking into it.',
  ],
  [
    'issue',
    '{symbol} is slow',
    '{symbol} in {file} takes {number2} seconds for a {thing} with many lines {why2}. A map by id would help.',
  ],
  [
    'issue',
    'Race between {part} and {part2}',
    'If the {part} starts before the {part2}, the {thing} is written twice. The lock in {file} prevents it since {number}.{number2}.',
  ],
  [
    'issue',
    'Memory of the {part}',
    'The {part} keeps every {thing} until it restarts, about {number} MB a day in {env}.',
  ],
  [
    'issue',
    'Deploy of the {part} hangs',
    'The deploy of the {part} hung in {env} with "{error}". Restarting the {part2} helped.',
  ],
  [
    'issue',
    '{error} in the {part}',
    'Users of {env} saw "{error}". The cause was a {thing} without a name; the {part} now skips it.',
  ],
  [
    'issue',
    'Wrong sort order of each {thing}',
    'The {thing} list was sorted as text, so {number} came before {number2}. {symbol} compares numbers now.',
  ],
  [
    'issue',
    'Windows paths in the {part}',
    'The {part} split paths at slashes only, so {file} was not found on Windows.',
  ],
  [
    'issue',
    'Build of the {part} breaks with caches',
    'The build of the {part} reuses stale output if {file} changes. Delete dist/{word} until it is fixed.',
  ],
  [
    'convention',
    'Names in the {part}',
    'Functions of the {part} begin with a verb, such as {symbol}. Abbreviations are avoided {why}.',
  ],
  ['convention', 'Tests of the {part}', 'Tests of the {part} lie beside the code and start a real {part2} {why}.'],
  [
    'convention',
    'Commit messages for the {part}',
    'Commits that touch the {part} begin with "{word}:" and say why. {person} rejects others.',
  ],
  [
    'convention',
    'Errors of the {part}',
    'The {part} throws errors with a code and the id of the {thing}. Messages such as "{error}" help nobody.',
  ],
  [
    'convention',
    'Comments in {file}',
    'Comments in {file} explain why, in whole sentences. What the code does is not repeated.',
  ],
  [
    'convention',
    'Logging in the {part}',
    'The {part} logs one line per {thing} with its id and the time it took. Debug lines stay out of {env}.',
  ],
  [
    'convention',
    'Types of a {thing}',
    'A {thing} is parsed once at the edge of the {part}. Inside, its type is trusted and nothing is checked again.',
  ],
  [
    'convention',
    'Review of the {part}',
    'A review of the {part} looks at the tests first, then at names. {person} keeps the list of questions in {place}.',
  ],
  [
    'convention',
    'Fixtures for the {part2}',
    'Fixtures live in test/fixtures/{word}. A new {thing} fixture gets a number and a line in {place}.',
  ],
  [
    'convention',
    'Flags of the command line',
    'The flag --{word} means the same in every command of the {part}. New flags are discussed in {place}.',
  ],
  ['command', 'Run the {part}', 'Start the {part} with `{tool} {word}`; it listens on port {number}{number2}.'],
  [
    'command',
    'Rebuild the {part} in {env}',
    'To rebuild the {part} in {env}: `{tool} rebuild-{word}`. It takes {number} minutes.',
  ],
  [
    'command',
    'Reset the {thing} table',
    '`{tool} reset-{word}` empties the {thing} table in {env}. Ask {person} before.',
  ],
  [
    'command',
    'Profile the {part}',
    'Profile with `{tool} profile --{word}` and open the result in {place}. {symbol} is usually on top.',
  ],
  [
    'command',
    'Generate the client for the {part}',
    '`{tool} generate` writes the client of the {part} into {file}. The result is committed {why}.',
  ],
  [
    'note',
    'Meeting about the {part}',
    '{person} and {person2} talked about the {part}. Next: tests for {symbol}, then the {thing} migration. The rest is in {place}.',
  ],
  [
    'note',
    'How the {part} works',
    'A {thing} enters the {part} through {symbol}, is checked by the {part2}, and leaves as an event. Start reading in {file}.',
  ],
  [
    'note',
    'Roadmap of the {part}',
    'First faster builds for the {part}, then a nicer {thing} page, then offline support. {person} decides in autumn.',
  ],
  [
    'note',
    'Upgrade of {env}',
    '{env} was upgraded on a Sunday. The {part} was down for {number} minutes and the {part2} for {number2}.',
  ],
  [
    'note',
    'Numbers of the {part}',
    'The {part} handles {number}{number2} {thing}s a day in {env}; at noon it waits {number} ms for the {part2}.',
  ],
]
