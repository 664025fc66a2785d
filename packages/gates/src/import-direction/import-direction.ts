/** Packages import only packages below them: checks the arrow table for every way to reach a module. */
import type { Finding } from '../finding.ts'
import type { Gate } from '../gate.ts'
import type { GatesConfig, NamedRow } from '../gates-config.ts'
import type { CodeFile, Sources, Stray } from '../sources.ts'
import { placeAt } from '../syntax/place.ts'
import type { WorkspacePackage } from '../workspace-package.ts'
import { binds, cyclesOf, forbids, parseTarget } from './arrow-table.ts'
import { judgeReach } from './judge-reach.ts'
import { isInScope, manifestFindings, pathAliasFindings } from './manifest-findings.ts'
import { reachesOf } from './reaches.ts'

type Direction = NonNullable<GatesConfig['importDirection']>

export const importDirection: Gate = {
  id: 'import-direction',
  promise: 'packages import only what the arrow table lets them, however the module is reached',
  rules: {
    direction: 'an import the arrow table does not allow',
    undeclared: 'an import of a package that is not in dependencies',
    path: 'a path that leads out of the package',
    computed: 'a module name put together at run time',
    evaluated: 'code made from text',
    augment: 'a change to the types of another package',
    unknown: 'a name in the scope that is no package, or no entry of one',
    alias: 'an alias that hides where an import leads',
    lazy: 'a hard dependency on what is loaded only when configured',
    tag: 'nx.tags that are not exactly the layer of the folder',
    'no-row': 'a package, or a target, without a row in the arrow table',
    cycle: 'packages that depend on each other in a circle',
    row: 'a row of its own name in the configuration is broken; the rule ends with that name',
    'stale-exception': 'an exception that excuses nothing',
  },
  unconfigured: ({ importDirection: direction }) =>
    direction === undefined ? 'importDirection.arrows is not configured' : undefined,
  async check(sources, { importDirection: direction }) {
    if (direction === undefined) return []
    const findings = sources.files.flatMap((file) => fileFindings(sources, file, direction))
    return [
      ...excused(findings, direction, sources),
      ...sources.strays.map(strayFinding),
      ...manifestFindings(sources, direction),
      ...(await pathAliasFindings(sources)),
      ...tableFindings(sources, direction),
      ...throughFindings(sources, direction),
    ]
  },
}

interface Found {
  readonly finding: Finding
  readonly specifier: string
}

function fileFindings(sources: Sources, file: CodeFile, direction: Direction): Found[] {
  const seen = new Set<string>()
  const found = reachesOf(file.syntax).flatMap((reach) =>
    judgeReach({ sources, file, direction, reach }).map(({ rule, message }) => {
      const place = placeAt(file.syntax, reach.position)
      const finding = { rule: `import-direction/${rule}`, file: file.file, ...place, message }
      return { finding, specifier: reach.specifier }
    }),
  )
  // A package named twice on one line is one mistake.
  return found.filter(({ finding }) => {
    const key = `${finding.line} ${finding.message}`
    return !seen.has(key) && seen.add(key)
  })
}

function strayFinding({ file, target }: Stray): Finding {
  const message = `this is a link to ${target}, outside its package. Move the file here.`
  return { rule: 'import-direction/path', file, line: 1, column: 1, message }
}

function tableFindings({ top, packages, scope }: Sources, { arrows }: Direction): Finding[] {
  const here = { file: top.manifestFile, line: 1, column: 1 }
  const targets = new Map(Object.entries(arrows).map(([from, { may }]) => [from, may.map((to) => parseTarget(to).to)]))
  const unknown = [...targets].flatMap(([from, may]) =>
    may
      .filter((to) => !targets.has(to))
      .map((to) => ({
        rule: 'import-direction/no-row',
        ...here,
        message: `the arrow table lets ${from} import ${to}, which has no row. Add one.`,
      })),
  )
  const declared = new Map(packages.map((owner) => [owner.folder, dependenciesIn(owner, scope)]))
  const cycles = new Set([...cyclesOf(targets), ...cyclesOf(declared)])
  return [
    ...unknown,
    ...[...cycles].map((cycle) => ({
      rule: 'import-direction/cycle',
      ...here,
      message: `${cycle}: packages depend on each other in a circle. Turn one arrow into an argument.`,
    })),
  ]
}

function dependenciesIn({ manifest }: WorkspacePackage, scope: string): readonly string[] {
  const { dependencies, peerDependencies, optionalDependencies } = manifest
  return Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies })
    .filter((name) => isInScope(name, scope))
    .map((name) => name.slice(scope.length + 1))
}

/** Checks the named rows that also apply through packages in between. */
function throughFindings(sources: Sources, { rows }: Direction): Finding[] {
  const declared = new Map(sources.packages.map((owner) => [owner.folder, dependenciesIn(owner, sources.scope)]))
  return rows
    .filter(({ through }) => through)
    .flatMap((row) =>
      sources.packages.filter(({ folder }) => binds(row, folder)).flatMap((owner) => throughOf(row, owner, declared)),
    )
}

function throughOf(
  row: NamedRow,
  owner: WorkspacePackage,
  declared: ReadonlyMap<string, readonly string[]>,
): Finding[] {
  const trail = (declared.get(owner.folder) ?? []).map((next) => [owner.folder, next])
  const seen = new Set<string>()
  for (const way of trail) {
    const last = way.at(-1) ?? ''
    if (seen.has(last)) continue
    seen.add(last)
    if (way.length > 2 && forbids(row, last)) return [throughFinding(row, owner, way)]
    trail.push(...(declared.get(last) ?? []).map((next) => [...way, next]))
  }
  return []
}

function throughFinding(row: NamedRow, owner: WorkspacePackage, way: readonly string[]): Finding {
  return {
    rule: `import-direction/row/${row.id}`,
    file: owner.manifestFile,
    line: 1,
    column: 1,
    message: `${way.join(' → ')}: ${row.says}`,
  }
}

function excused(findings: readonly Found[], { exceptions }: Direction, { files }: Sources): Finding[] {
  const used = new Set<object>()
  const left = findings.filter(({ finding, specifier }) => {
    const exception = exceptions.find(({ file, reach }) => file === finding.file && reach === specifier)
    if (exception !== undefined) used.add(exception)
    return exception === undefined
  })
  const stale = exceptions.filter((each) => !used.has(each) && isPackageRead(files, each.file))
  return [
    ...left.map(({ finding }) => finding),
    ...stale.map(({ file, reach }) => ({
      rule: 'import-direction/stale-exception',
      file,
      line: 1,
      column: 1,
      message: `the exception for ${reach} excuses nothing here. Remove it from the configuration.`,
    })),
  ]
}

function isPackageRead(files: readonly CodeFile[], file: string): boolean {
  const folder = file.split('/').slice(0, 2).join('/')
  return files.some((each) => each.file.startsWith(`${folder}/`))
}
