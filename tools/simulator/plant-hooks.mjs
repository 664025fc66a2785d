// @ts-check
/** Module hooks: the planted mistake is in the source that is run, and nowhere on disk. */
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { root } from '../run.mjs'
import { planted } from './planted.mjs'

const wanted = planted.find(({ name }) => name === process.env['AGENTM_PLANTED'])
if (wanted === undefined) throw new Error(`nothing is planted under the name ${process.env['AGENTM_PLANTED']}`)
const { file, from, to, name } = wanted
const place = new URL(file, pathToFileURL(`${root}/`))
const source = readFileSync(place, 'utf8')
if (source.split(from).length !== 2)
  throw new Error(`"${name}" cannot be planted: ${file} has ${source.split(from).length - 1} places with\n${from}`)

/** @type {import('node:module').LoadHook} */
export async function load(url, context, next) {
  if (url !== place.href) return next(url, context)
  return { format: 'module', shortCircuit: true, source: source.replace(from, () => to) }
}
