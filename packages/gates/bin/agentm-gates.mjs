#!/usr/bin/env node
import { gatesCommand } from '../dist/gates-command.js'

process.exitCode = await gatesCommand(process.argv.slice(2), {
  cwd: process.cwd(),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
})
