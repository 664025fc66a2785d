import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'

const packages = path.resolve(import.meta.dirname, '../../packages')
/** docs/decisions/packages-second-plan.md: beyond it, somebody asks again what a user of a package writes down. */
const most = 536

it('exports at the roots of all packages what their users need, and not what this repository needs', () => {
  const roots = readdirSync(packages)
    .map((name) => path.join(packages, name, 'src/index.ts'))
    .filter((file) => existsSync(file))
  const program = ts.createProgram(roots, {
    module: ts.ModuleKind.NodeNext,
    customConditions: ['@agentm/source'],
    allowImportingTsExtensions: true,
    noEmit: true,
    types: [],
  })
  const checker = program.getTypeChecker()
  const names = roots.flatMap((file) => {
    const source = program.getSourceFile(file)
    const module = source && checker.getSymbolAtLocation(source)
    return module === undefined ? [] : checker.getExportsOfModule(module).map(({ name }) => `${file} ${name}`)
  })
  expect(roots.length).toBeGreaterThan(20)
  expect(names.length).toBeGreaterThan(roots.length)
  expect(names.length).toBeLessThanOrEqual(most)
})
