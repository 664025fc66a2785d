/**
 * Divides a command line into words, as a shell would. What only a shell can do is refused, because commands of checks run without
 * one.
 */
export function commandWords(line: string): readonly string[] | { readonly problem: string } {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let i = 0; i < line.length; i++) {
    const character = line.charAt(i)
    if (quote !== '') {
      if (character === quote) quote = ''
      else word += character === '\\' && quote === '"' ? line.charAt(++i) : character
    } else if (character === '"' || character === "'") {
      quote = character
      word ??= ''
    } else if (/\s/u.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if ('|&;<>`$()'.includes(character)) return { problem: needsShell(character) }
    else word = (word ?? '') + (character === '\\' ? line.charAt(++i) : character)
  }
  if (quote !== '') return { problem: `the quotation mark ${quote} is never closed` }
  if (word !== undefined) words.push(word)
  return words.length === 0 ? { problem: 'it is empty' } : words
}

function needsShell(character: string): string {
  return `${character} needs a shell, and the command runs without one. Name one program and its arguments, put several commands into several checks, or quote them for a shell: sh -c '…'`
}
