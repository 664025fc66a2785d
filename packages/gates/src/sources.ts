/**
 * The code of a repository, read and parsed once for all gates. Syntax comes from `ts.createSourceFile`, a few
 * milliseconds a file; the one type-checked program is made only when a gate asks for it.
 */
import { readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import fastGlob from 'fast-glob'
import { ts } from 'ts-morph'
import type { GatesConfig } from './gates-config.ts'
import { GatesError } from './gates-error.ts'
import { TypedProgram } from './typed-program.ts'
import { findPackages, readManifest, type WorkspacePackage } from './workspace-package.ts'

export interface CodeFile {
  /** Relative to the root, with forward slashes. */
  readonly file: string
  /** Absolute. */
  readonly path: string
  readonly package: WorkspacePackage
  /** `code` runs on the user's machine. `test` also includes benchmarks, examples and tooling. */
  readonly zone: 'code' | 'test'
  readonly syntax: ts.SourceFile
}

export interface Stray {
  readonly file: string
  /** Absolute. */
  readonly target: string
}

export class Sources {
  readonly root: string
  /** The root's own manifest, whose devDependencies tests share. */
  readonly top: WorkspacePackage
  readonly packages: readonly WorkspacePackage[]
  readonly files: readonly CodeFile[]
  readonly scope: string
  /** Links that lead out of their package are not followed, because their targets belong to other packages. */
  readonly strays: readonly Stray[]
  readonly #config: GatesConfig
  readonly #byPath: ReadonlyMap<string, CodeFile>
  #typed: TypedProgram | undefined

  private constructor(parts: {
    root: string
    top: WorkspacePackage
    packages: readonly WorkspacePackage[]
    files: readonly CodeFile[]
    strays: readonly Stray[]
    config: GatesConfig
  }) {
    this.root = parts.root
    this.top = parts.top
    this.packages = parts.packages
    this.files = parts.files
    this.strays = parts.strays
    this.#config = parts.config
    this.#byPath = new Map(parts.files.map((file) => [file.path, file]))
    this.scope = parts.config.scope ?? sharedScope(parts.packages)
  }

  static async read(where: string, config: GatesConfig): Promise<Sources> {
    const root = await rootDirectory(where)
    const top = await readManifest(root, '.')
    const packages = await findPackages(root, config)
    const found = await Promise.all(packages.map((each) => readPackage(root, each)))
    const files = found.flatMap((each) => each.files)
    const strays = found.flatMap((each) => each.strays)
    if (!files.some(({ zone }) => zone === 'code'))
      throw new GatesError('UNREADABLE', `${root} has no source files; nothing was checked.`)
    return new Sources({ root, top, packages, files, strays, config })
  }

  /** The files that run on the user's machine. */
  get code(): readonly CodeFile[] {
    return this.files.filter(({ zone }) => zone === 'code')
  }

  fileAt(absolute: string): CodeFile | undefined {
    return this.#byPath.get(absolute)
  }

  packageNamed(name: string): WorkspacePackage | undefined {
    return this.packages.find((each) => each.name === name)
  }

  /** The package whose folder holds this absolute path. */
  packageAt(target: string): WorkspacePackage | undefined {
    return this.packages.find(({ root }) => isWithin(root, target))
  }

  /** One program over all code, for the gates that need types. */
  get typed(): TypedProgram {
    return (this.#typed ??= TypedProgram.over(this.root, this.code, this.#config.tsconfig))
  }
}

export function isWithin(folder: string, target: string): boolean {
  return target === folder || target.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep)
}

async function rootDirectory(where: string): Promise<string> {
  try {
    const root = await realpath(where)
    if ((await stat(root)).isDirectory()) return root
  } catch (error) {
    throw new GatesError('UNREADABLE', `${where} cannot be read, so nothing was checked: ${String(error)}`, {
      cause: error,
    })
  }
  throw new GatesError('UNREADABLE', `${where} is not a directory, so nothing was checked.`)
}

const code = /\.[cm]?[jt]sx?$/

async function readPackage(root: string, owner: WorkspacePackage): Promise<{ files: CodeFile[]; strays: Stray[] }> {
  const found = await fastGlob('**/*', {
    cwd: owner.root,
    dot: true,
    onlyFiles: false,
    objectMode: true,
    followSymbolicLinks: false,
    ignore: ['**/node_modules/**', 'dist/**', 'build/**', 'coverage/**', '.*/**', '.*'],
  })
  const links = found.filter(({ dirent }) => dirent.isSymbolicLink())
  const strays = await Promise.all(links.map((link) => strayOf(root, owner, link.path)))
  const files = found.filter(({ dirent, path: inside }) => dirent.isFile() && code.test(inside))
  return {
    files: await Promise.all(files.map((file) => readCode(root, owner, file.path))),
    strays: strays.filter((stray) => stray !== undefined),
  }
}

/**
 * Reports a link that leads out of its package, because it brings in foreign code. A link inside is only another name of a file that is
 * read anyway.
 */
async function strayOf(root: string, owner: WorkspacePackage, inside: string): Promise<Stray | undefined> {
  const listed = path.join(owner.root, inside)
  const target = await realpath(listed).catch(() => listed)
  return isWithin(owner.root, target) ? undefined : { file: relativeTo(root, listed), target }
}

async function readCode(root: string, owner: WorkspacePackage, inside: string): Promise<CodeFile> {
  const listed = path.join(owner.root, inside)
  const file = relativeTo(root, listed)
  const syntax = parse(listed, file, await readFile(listed, 'utf8'))
  return { file, path: listed, package: owner, zone: zoneOf(inside), syntax }
}

function relativeTo(root: string, target: string): string {
  return path.relative(root, target).replaceAll(path.sep, '/')
}

function parse(absolute: string, file: string, text: string): ts.SourceFile {
  const syntax = ts.createSourceFile(
    absolute,
    text,
    { languageVersion: ts.ScriptTarget.Latest, ...asModule(absolute) },
    true,
  )
  const { parseDiagnostics = [] } = syntax as { parseDiagnostics?: readonly ts.Diagnostic[] }
  const [wrong] = parseDiagnostics
  if (wrong === undefined) return syntax
  const { line } = syntax.getLineAndCharacterOfPosition(wrong.start ?? 0)
  const why = ts.flattenDiagnosticMessageText(wrong.messageText, ' ')
  throw new GatesError('UNREADABLE', `${file}:${line + 1} cannot be parsed, so nothing was checked: ${why}`)
}

/** Parses a file without imports as a module too, because otherwise `await` would be read as a name. */
function asModule(file: string): Pick<ts.CreateSourceFileOptions, 'setExternalModuleIndicator'> {
  if (/\.c[jt]s$/.test(file)) return {}
  return {
    setExternalModuleIndicator(source) {
      Object.assign(source, { externalModuleIndicator: true })
    },
  }
}

const testing = /^(?:tests?|__tests__|spec|bench|examples|docs|scripts|tools)\//
const testFile = /\.(?:test|spec|bench)\.[cm]?[jt]sx?$|^[^/]+\.config\.[cm]?[jt]s$/

function zoneOf(inside: string): CodeFile['zone'] {
  return testing.test(inside) || testFile.test(inside) ? 'test' : 'code'
}

function sharedScope(packages: readonly WorkspacePackage[]): string {
  const scopes = new Set(packages.map(({ name }) => (name.startsWith('@') ? name.slice(0, name.indexOf('/')) : '')))
  const [only = ''] = scopes
  return scopes.size === 1 ? only : ''
}
