// @ts-check
/**
 * Runs in a filled home, as any program would that embeds memory there: argument 1 says what to measure, argument 2 with
 * what settings. Prints figures as JSON.
 */
import { answers } from './answers.mjs'
import { changed } from './changed.mjs'
import { resident } from './resident.mjs'
import { scan } from './scan.mjs'

const [what = '', settings = '{}'] = process.argv.slice(2)
const known = { answers, changed, resident, scan }
const measure = Reflect.get(known, what)
if (measure === undefined) throw new TypeError(`nothing is called ${what}`)
console.log(JSON.stringify(await measure(JSON.parse(settings))))
