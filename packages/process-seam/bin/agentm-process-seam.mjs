#!/usr/bin/env node
import { runSeam } from '../dist/command.js'

process.exitCode = await runSeam(process.argv.slice(2))
