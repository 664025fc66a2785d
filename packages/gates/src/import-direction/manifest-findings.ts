/** Checks the import direction in package.json and tsconfig.json: declared packages, aliases, tags. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { ts } from 'ts-morph'
import type { Finding } from '../finding.ts'
import type { GatesConfig } from '../gates-config.ts'
import type { Sources } from '../sources.ts'
import { placeIn } from '../syntax/place.ts'
import type { WorkspacePackage } from '../workspace-package.ts'
import { parseTarget } from './arrow-table.ts'
import { testTargets } from './test-targets.ts'

type Direction = NonNullable<GatesConfig['importDirection']>

export function manifestFindings(sources: Sources, direction: Direction): Finding[] {
  return sources.packages.flatMap((owner) => [
    ...tagFindings(owner),
    ...rowFindings(owner, direction),
    ...aliasFindings(sources, owner),
    ...dependencyFindings(sources, owner, direction),
  ])
}

/** Reports `paths` in a tsconfig.json, because they lead to places that the name does not show. */
export async function pathAliasFindings(sources: Sources): Promise<Finding[]> {
  const files = ['tsconfig.json', 'tsconfig.base.json', ...sources.packages.map(tsconfigOf(sources.root))]
  const found = await Promise.all([...new Set(files)].map((file) => pathAliasesIn(sources.root, file)))
  return found.flat()
}

function tsconfigOf(root: string): (owner: WorkspacePackage) => string {
  return (owner) => path.relative(root, path.join(owner.root, 'tsconfig.json')).replaceAll(path.sep, '/')
}

async function pathAliasesIn(root: string, file: string): Promise<Finding[]> {
  const text = await readFile(path.join(root, file), 'utf8').catch(() => undefined)
  if (text === undefined) return []
  const { config } = ts.parseConfigFileTextToJson(file, text) as {
    config?: { compilerOptions?: { paths?: Record<string, unknown> } }
  }
  return Object.keys(config?.compilerOptions?.paths ?? {}).map((alias) => ({
    rule: 'import-direction/alias',
    file,
    ...placeIn(text, JSON.stringify(alias)),
    message: `paths maps ${alias} to another place, so an import no longer says where it leads. Remove it.`,
  }))
}

function tagFindings(owner: WorkspacePackage): Finding[] {
  const tags = owner.manifest.nx?.tags ?? []
  const wanted = `layer:${owner.folder}`
  if (tags.length === 1 && tags[0] === wanted) return []
  return [at(owner, '"tags"', 'tag', `nx.tags must be exactly ["${wanted}"], not ${JSON.stringify(tags)}.`)]
}

function rowFindings(owner: WorkspacePackage, { arrows }: Direction): Finding[] {
  if (arrows[owner.folder] !== undefined) return []
  return [at(owner, '"name"', 'no-row', `${owner.folder} has no row in the arrow table. Add one.`)]
}

function aliasFindings({ scope }: Sources, owner: WorkspacePackage): Finding[] {
  const targets = JSON.stringify(owner.manifest.imports).match(/"[^"]*"/g) ?? []
  return targets
    .map((text) => text.slice(1, -1))
    .filter((text) => isInScope(text, scope) || text.startsWith('../') || path.isAbsolute(text))
    .map((text) =>
      at(owner, JSON.stringify(text), 'alias', `the imports map hides ${text}. Import it by its own name.`),
    )
}

const kinds = ['dependencies', 'peerDependencies', 'optionalDependencies', 'devDependencies'] as const

function dependencyFindings(sources: Sources, owner: WorkspacePackage, direction: Direction): Finding[] {
  return kinds.flatMap((kind) =>
    Object.entries(owner.manifest[kind]).flatMap(([name, range]) => {
      const why = disguised(range, sources.scope) ?? undeclarable(sources, { owner, name, kind, direction })
      return why === undefined ? [] : [at(owner, JSON.stringify(name), why.rule, `${kind} names ${name}: ${why.says}`)]
    }),
  )
}

function disguised(range: string, scope: string): { rule: string; says: string } | undefined {
  if (range.startsWith('npm:') && isInScope(range.slice('npm:'.length), scope))
    return { rule: 'alias', says: `${range} hides a package of this workspace. Use its own name.` }
  if (/^(?:file|link|portal):/.test(range))
    return { rule: 'alias', says: `${range} is a path, not a version. Name a version.` }
  return undefined
}

interface Declared {
  readonly owner: WorkspacePackage
  readonly name: string
  readonly kind: (typeof kinds)[number]
  readonly direction: Direction
}

function undeclarable(sources: Sources, { owner, name, kind, direction }: Declared) {
  if (!isInScope(name, sources.scope)) return undefined
  const to = name.slice(sources.scope.length + 1)
  const row = direction.arrows[owner.folder]?.may ?? []
  const may = kind === 'devDependencies' ? [...row, ...testTargets(direction, owner.folder)] : row
  const targets = may.map(parseTarget).filter((target) => target.to === to)
  if (targets.length === 0) return { rule: 'direction', says: `${owner.folder} may not import ${to}.` }
  if (kind === 'dependencies' && targets.every((target) => target.kind === 'lazy'))
    return {
      rule: 'lazy',
      says: 'it is loaded only when configured, so nobody should have to install it. Declare it as an optional peer.',
    }
  return undefined
}

export function isInScope(text: string, scope: string): boolean {
  return scope !== '' && (text === scope || text.startsWith(`${scope}/`))
}

function at(owner: WorkspacePackage, where: string, rule: string, message: string): Finding {
  return {
    rule: `import-direction/${rule}`,
    file: owner.manifestFile,
    ...placeIn(owner.manifestText, where),
    message,
  }
}
