/** Only one package may write files, so that every write is locked, complete and durable. */
import { ts } from 'ts-morph'
import type { Finding } from '../finding.ts'
import type { Gate } from '../gate.ts'
import type { GatesConfig } from '../gates-config.ts'
import type { CodeFile, Sources } from '../sources.ts'
import { placeOf } from '../syntax/place.ts'
import { writesOf, type Write } from './writes.ts'

type OneWriter = NonNullable<GatesConfig['oneWriter']>

export const oneWriter: Gate = {
  id: 'one-writer',
  promise: 'files are written by one package and by a named list of calls, each with its reason',
  rules: {
    write: 'a call that writes, or takes a function that does',
    escape: 'fs handed on whole, so that nobody can say what is written',
    package: 'a package from npm that writes files',
    code: 'code made from text, which may write anything',
    'stale-exception': 'an exception that excuses nothing',
  },
  unconfigured: ({ oneWriter: config }) => (config === undefined ? 'oneWriter is not configured' : undefined),
  async check(sources, { oneWriter: config }) {
    if (config === undefined) return []
    const files = sources.code.filter((file) => !config.home.includes(file.package.folder))
    const used = new Set<string>()
    const findings = files.flatMap((file) => fileFindings({ sources, file, config, used }))
    return [...findings, ...staleFindings(sources, config, used)]
  },
}

interface Given {
  readonly sources: Sources
  readonly file: CodeFile
  readonly config: OneWriter
  /** Collects each configured exception that excused a finding. */
  readonly used: Set<string>
}

function fileFindings({ sources, file, config, used }: Given): Finding[] {
  const packages = [...knownWriters, ...config.writers]
  const isPort = (value: ts.Node): boolean => offersFileSystem(sources, file, value)
  return writesOf(file.syntax, packages, isPort).flatMap((found) => {
    const excuse = config.exceptions.find(({ file: name, calls }) => name === file.file && calls.includes(found.call))
    if (excuse === undefined) return [finding(file, found, config)]
    used.add(`${excuse.file} ${found.call}`)
    return []
  })
}

/** A value with `rename` and `unlink` counts as a file system, whatever its name, because `fs` may be injected through it. */
function offersFileSystem({ typed }: Sources, file: CodeFile, value: ts.Node): boolean {
  const twin = twinOf(typed.source(file.path), value)
  if (twin === undefined) return false
  const type = typed.checker.getNonNullableType(typed.checker.getTypeAtLocation(twin))
  return ['rename', 'unlink'].every((name) => typed.checker.getPropertyOfType(type, name) !== undefined)
}

/** The same node in the type-checked program, which parses the file separately. */
function twinOf(node: ts.Node, wanted: ts.Node): ts.Node | undefined {
  if (node.pos === wanted.pos && node.end === wanted.end && node.kind === wanted.kind) return node
  return ts.forEachChild(node, (child) =>
    child.pos <= wanted.pos && wanted.end <= child.end ? twinOf(child, wanted) : undefined,
  )
}

/** Packages whose purpose is to write files. */
const knownWriters = [
  'atomically',
  'conf',
  'cpy',
  'del',
  'fs-extra',
  'fs-jetpack',
  'graceful-fs',
  'jsonfile',
  'lowdb',
  'move-file',
  'rimraf',
  'steno',
  'write-file-atomic',
  'write-json-file',
]

function finding(file: CodeFile, { call, kind, node }: Write, { home }: OneWriter): Finding {
  const writer = home.length === 0 ? 'no package' : `only ${home.join(' and ')}`
  const messages = {
    write: `${call} writes; ${writer} may. Write through it, or name the call in oneWriter.exceptions with a reason.`,
    escape: `fs is handed on whole here, so nobody can say what is written. Take the functions you need by name.`,
    code: `${call} makes code from text, and nobody can say what that writes. Write the code down in a file.`,
    package: `${call} writes files; ${writer} may. Write through it, or name it in oneWriter.exceptions with a reason.`,
  }
  return { rule: `one-writer/${kind}`, file: file.file, ...placeOf(node, file.syntax), message: messages[kind] }
}

function staleFindings({ packages }: Sources, { exceptions }: OneWriter, used: ReadonlySet<string>): Finding[] {
  return exceptions
    .filter(({ file }) => packages.some((owner) => file.startsWith(owner.manifestFile.replace('package.json', ''))))
    .flatMap(({ file, calls }) =>
      calls
        .filter((call) => !used.has(`${file} ${call}`))
        .map((call) => ({
          rule: 'one-writer/stale-exception',
          file,
          line: 1,
          column: 1,
          message: `the exception for ${call} excuses nothing here. Remove it from the configuration.`,
        })),
    )
}
