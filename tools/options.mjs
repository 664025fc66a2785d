// @ts-check
/** The options of a command of this repository: help where it is asked for, and one line and exit code 2 for what cannot be. */
/** Said before anything is done: the call itself was wrong. */
export class WrongUse extends Error {}

/** @param {string} usage printed where `--help` is among the words, and that is all */
export function helpWhereAsked(usage) {
  if (!process.argv.slice(2).some((word) => word === '--help' || word === '-h')) return
  console.log(usage.trim())
  process.exit(0)
}

/**
 * What `read` says is wrong with the call ends it.
 * @template T
 * @param {string} command
 * @param {() => T} read
 * @returns {T}
 */
export function orWrongUse(command, read) {
  try {
    return read()
  } catch (error) {
    const isOurs = error instanceof Error && (error instanceof WrongUse || isOfParser(error))
    if (!isOurs) throw error
    // What the parser adds about words that begin with a dash helps nobody here.
    console.error(`${error.message.split('. ')[0]?.replace(/\.$/, '')}. See ${command} -- --help.`)
    return process.exit(2)
  }
}

/** @param {Error} error */
function isOfParser(error) {
  return 'code' in error && typeof error.code === 'string' && error.code.startsWith('ERR_PARSE_ARGS')
}

/**
 * @param {string} name as it is given, such as `--seeds`
 * @param {string} text
 * @param {{ readonly least?: number, readonly whole?: boolean }} [limits]
 */
export function numberIn(name, text, { least = 1, whole = true } = {}) {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isFinite(value) && value >= least && (!whole || Number.isSafeInteger(value))) return value
  throw new WrongUse(`${name} takes a ${whole ? 'whole ' : ''}number from ${least} on, not ${JSON.stringify(text)}`)
}
