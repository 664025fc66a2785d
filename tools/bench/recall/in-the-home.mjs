// @ts-check
/**
 * Runs in a filled home, as any program would that embeds memory there: argument 1 says what to measure, argument 2 with
 * what settings. Prints figures as JSON.
 */

/** Each is loaded alone, so that the memory of one is not that of another. @type {Readonly<Record<string, () => Promise<Function>>>} */
const known = {
  answers: async () => (await import('./answers.mjs')).answers,
  changed: async () => (await import('./changed.mjs')).changed,
  resident: async () => (await import('./resident.mjs')).resident,
  scan: async () => (await import('./scan.mjs')).scan,
}
const [what = '', settings = '{}'] = process.argv.slice(2)
const measure = await known[what]?.()
if (measure === undefined) throw new TypeError(`nothing is called ${what}`)
console.log(JSON.stringify(await measure(JSON.parse(settings))))
