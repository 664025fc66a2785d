/**
 * Reports a name that two packages export for different things, because people then import the wrong one and texts about it are ambiguous.
 * A package that re-exports another's declaration exports the same thing.
 */
import path from 'node:path'
import type { ts } from 'ts-morph'
import { entryFiles } from '../entry-sources.ts'
import type { Finding } from '../finding.ts'
import type { Gate } from '../gate.ts'
import { aliased } from '../no-path-leak/seam-contract.ts'
import type { Sources } from '../sources.ts'
import { placeOf } from '../syntax/place.ts'
import type { WorkspacePackage } from '../workspace-package.ts'

/** What a name means in one package. */
interface Meaning {
  readonly name: string
  readonly owner: WorkspacePackage
  readonly thing: ts.Symbol
}

export const oneName: Gate = {
  id: 'one-name',
  promise: 'an exported name stands for one thing in all packages',
  rules: {
    'two-things': 'another package exports something else under this name',
    'stale-exception': 'an exception excuses nothing',
  },
  async check(sources, { oneName: { exceptions } }) {
    const findings: Finding[] = []
    const clashing = new Set<string>()
    const first = new Map<string, Meaning>()
    for (const meaning of sources.packages.flatMap((owner) => meaningsIn(sources, owner))) {
      const known = first.get(meaning.name)
      if (known === undefined) first.set(meaning.name, meaning)
      else if (known.thing !== meaning.thing && !clashing.has(meaning.name)) {
        clashing.add(meaning.name)
        if (!exceptions.some(({ name }) => name === meaning.name)) findings.push(finding(sources, known, meaning))
      }
    }
    const stale = exceptions.filter(({ name }) => !clashing.has(name))
    return [...findings, ...stale.map(({ name }) => staleFinding(sources, name))]
  },
}

function meaningsIn(sources: Sources, owner: WorkspacePackage): readonly Meaning[] {
  const { checker } = sources.typed
  return entryFiles(sources, owner).flatMap((file) => {
    const module = checker.getSymbolAtLocation(sources.typed.source(file.path))
    const symbols = module === undefined ? [] : checker.getExportsOfModule(module)
    return symbols.map((symbol) => ({ name: symbol.name, owner, thing: aliased(checker, symbol) }))
  })
}

function finding(sources: Sources, known: Meaning, { name, owner, thing }: Meaning): Finding {
  const [declaration] = thing.declarations ?? []
  const source = declaration?.getSourceFile()
  return {
    rule: 'one-name/two-things',
    file:
      source === undefined
        ? owner.manifestFile
        : path.relative(sources.root, source.fileName).split(path.sep).join('/'),
    ...(declaration === undefined || source === undefined ? { line: 1, column: 1 } : placeOf(declaration, source)),
    message: `${owner.name} exports ${name}, and ${known.owner.name} exports something else under that name. Rename one of them.`,
  }
}

function staleFinding({ top }: Sources, name: string): Finding {
  return {
    rule: 'one-name/stale-exception',
    file: top.manifestFile,
    line: 1,
    column: 1,
    message: `the exception for ${name} excuses nothing. Remove it from the configuration.`,
  }
}
