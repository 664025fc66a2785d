#!/usr/bin/env node
import path from 'node:path'
import { isBundleCurrent } from '../dist/is-bundle-current.js'

// By address: there is nothing to compile against before it was built.
const bundle = new URL('../dist/bundle/main.js', import.meta.url).href
const quick = isBundleCurrent(path.resolve(import.meta.dirname, '../..'))
/** @type {typeof import('../dist/main.js')} */
const { main } = await (quick ? import(bundle) : import('../dist/main.js'))
process.exitCode = await main(process.argv.slice(2))
