// @ts-check
/**
 * The examples of a README, as a reader would run them.
 *
 * A ```js fence is a file and runs as it stands; one that imports vitest runs as a test file. A ```ts fence is compiled first,
 * strictly, against the types that are installed. A ```sh fence runs when a ```text fence follows it directly (`npm install …` lines never: what they name is there already). The ```text fence
 * right after an example, with nothing but blank lines between, is its whole output. In it `…` stands for any text
 * within a line, and a line that is only `…` for any number of lines.
 */

/**
 * @typedef {object} Example
 * @property {'js' | 'ts' | 'sh' | 'vitest'} kind
 * @property {string} code
 * @property {string} [output] what it must print, where the README says
 * @property {number} line where it starts in the README
 */

const fence = /^```(\w*)[^\n]*\n(.*?)^```[ \t]*$/gms

/** @param {string} readme @returns {Example[]} */
export function examplesIn(readme) {
  const blocks = blocksIn(readme)
  /** @type {Example[]} */
  const examples = []
  for (const [index, { language, code, line, end }] of blocks.entries()) {
    const next = blocks[index + 1]
    const output = next?.language === 'text' && readme.slice(end, next.start).trim() === '' ? next.code : undefined
    const rest = { line, ...(output === undefined ? {} : { output }) }
    if (language === 'js') examples.push({ kind: importsVitest(code) ? 'vitest' : 'js', code, ...rest })
    if (language === 'ts') examples.push({ kind: 'ts', code, ...rest })
    if (language === 'sh' && output !== undefined) examples.push({ kind: 'sh', code: withoutInstalls(code), ...rest })
  }
  return examples
}

/** Every package a README tells its reader to install. @param {string} readme */
export function installsIn(readme) {
  const lines = blocksIn(readme)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code }) => code.split('\n'))
  const words = lines.filter((line) => isInstall(line)).flatMap((line) => line.split('#')[0]?.trim().split(/\s+/) ?? [])
  return [...new Set(words.filter((word) => !['npm', 'install', 'i'].includes(word) && !word.startsWith('-')))]
}

/** @param {string} actual @param {string} expected */
export function isSameOutput(actual, expected) {
  const lines = expected.trimEnd().split('\n')
  const pattern = lines.map((line) => (line.trim() === '…' ? '(?:[^\\n]*\\n)*?' : `${lineOf(line)}\\n`)).join('')
  return new RegExp(`^${pattern}$`).test(`${actual.trimEnd().replaceAll(/[ \t]+$/gm, '')}\n`)
}

/** @param {string} readme */
function blocksIn(readme) {
  return [...readme.matchAll(fence)].map((match) => ({
    language: match[1] ?? '',
    code: match[2] ?? '',
    start: match.index,
    end: match.index + match[0].length,
    line: readme.slice(0, match.index).split('\n').length,
  }))
}

/** @param {string} line */
function lineOf(line) {
  return line
    .trimEnd()
    .split('…')
    .map((text) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
    .join('[^\\n]*')
}

/** @param {string} line */
function isInstall(line) {
  return /^\s*npm (install|i)\b/.test(line)
}

/** @param {string} code */
function withoutInstalls(code) {
  return code
    .split('\n')
    .filter((line) => !isInstall(line))
    .join('\n')
}

/** @param {string} code */
function importsVitest(code) {
  return /from '(vitest|[^']*\/vitest)'/.test(code)
}
