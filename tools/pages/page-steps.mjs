// @ts-check
/**
 * What a reader of a page does, in order: files to write, commands to type, programs to run, and what each prints.
 *
 * A ```sh fence is typed. Any other fence is a file if the line before it ends with a name and a colon (`release.yaml`:). A ```ts fence without a
 * name is a program. A ```text fence right after a command or a program is all it prints, where `…` stands for any text within a line, or alone
 * on a line for any number of lines. Comments may stand before a fence: `<!-- not run: REASON -->`, `<!-- ends with CODE -->` where a command
 * is meant to fail, `<!-- first: … -->` with commands that make what a reader has already, and `<!-- at a terminal -->` where it asks the person who types for a number.
 */

/**
 * @typedef {{ readonly kind: 'file', readonly name: string, readonly text: string, readonly line: number }} FileStep
 * @typedef {{ readonly kind: 'sh' | 'ts', readonly code: string, readonly exit: number, readonly asks: boolean, readonly output?: string, readonly line: number }} RunStep
 * @typedef {{ readonly kind: 'not run', readonly why: string, readonly line: number }} SkippedStep
 * @typedef {FileStep | RunStep | SkippedStep} PageStep
 */

const fence = /^```(\w*)[^\n]*\n(.*?)^```[ \t]*$/gms

/** @param {string} page @returns {PageStep[]} */
export function stepsIn(page) {
  const fences = [...page.matchAll(fence)].map((match) => ({
    language: match[1] ?? '',
    text: match[2] ?? '',
    start: match.index,
    end: match.index + match[0].length,
    line: page.slice(0, match.index).split('\n').length,
  }))
  /** @type {PageStep[]} */
  const steps = []
  for (const [index, { language, text, start, end, line }] of fences.entries()) {
    const before = page.slice(fences[index - 1]?.end ?? 0, start)
    const marks = marksOf(before)
    for (const code of marks.first) steps.push({ kind: 'sh', code, exit: 0, asks: false, line })
    const isRun = language === 'sh' || language === 'ts'
    if (isRun && marks.why !== undefined) steps.push({ kind: 'not run', why: marks.why, line })
    else if (language !== 'sh' && marks.file !== undefined) steps.push({ kind: 'file', name: marks.file, text, line })
    else if (isRun) {
      const next = fences[index + 1]
      const output = next?.language === 'text' && page.slice(end, next.start).trim() === '' ? next.text : undefined
      steps.push({
        kind: language,
        code: text,
        exit: marks.exit,
        asks: marks.asks,
        line,
        ...(output === undefined ? {} : { output }),
      })
    }
  }
  return steps
}

/** @param {string} before what stands between the fence before and this one */
function marksOf(before) {
  const [marks = ''] = /(?:<!-- (?:(?!-->)[^])+-->\s*)*$/.exec(before) ?? []
  const why = /<!-- not run: ((?:(?!-->)[^])+?) -->/.exec(marks)?.[1]
  const exit = Number(/<!-- ends with (\d+) -->/.exec(marks)?.[1] ?? 0)
  const file = /`([^`\s]+)`:\s*$/.exec(before)?.[1]
  const first = [...before.matchAll(/<!-- first:\s+((?:(?!-->)[^])+?)\s*-->/g)].map(([, code = '']) => `${code}\n`)
  return { why, exit, file, first, asks: marks.includes('<!-- at a terminal -->') }
}
