/** One type-checked program over the code of a repository, with the helpers that every type gate needs. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { Project, ts } from 'ts-morph'
import { GatesError } from './gates-error.ts'

export class TypedProgram {
  readonly program: ts.Program
  readonly checker: ts.TypeChecker
  readonly options: ts.CompilerOptions

  private constructor(program: ts.Program) {
    this.program = program
    this.checker = program.getTypeChecker()
    this.options = program.getCompilerOptions()
  }

  static over(root: string, files: readonly { readonly path: string }[], tsconfig: string): TypedProgram {
    const project = new Project({ compilerOptions: optionsFrom(path.join(root, tsconfig)) })
    for (const file of files) project.addSourceFileAtPath(file.path)
    return new TypedProgram(project.getProgram().compilerObject)
  }

  source(file: string): ts.SourceFile {
    const source = this.program.getSourceFile(file)
    if (source === undefined) throw new TypeError(`${file} is not part of the program`)
    return source
  }

  /** Where a module name leads from a file; `undefined` when nowhere. */
  resolve(specifier: string, from: string): string | undefined {
    return ts.resolveModuleName(specifier, from, this.options, ts.sys, undefined, undefined, ts.ModuleKind.ESNext)
      .resolvedModule?.resolvedFileName
  }
}

function optionsFrom(tsconfig: string): ts.CompilerOptions {
  const { composite: _c, incremental: _i, tsBuildInfoFile: _b, declarationMap: _m, ...asked } = readOptions(tsconfig)
  return {
    ...asked,
    noEmit: true,
    allowJs: true,
    checkJs: false,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: false,
  }
}

function readOptions(tsconfig: string): ts.CompilerOptions {
  if (!existsSync(tsconfig))
    return { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.NodeNext, strict: true, types: ['*'] }
  const read = ts.readConfigFile(tsconfig, (file) => ts.sys.readFile(file))
  if (read.error !== undefined)
    throw new GatesError('UNREADABLE', `${tsconfig}: ${ts.flattenDiagnosticMessageText(read.error.messageText, ' ')}`)
  // Only the options matter here; the gates choose the files.
  const config: Record<string, unknown> = { ...read.config, files: [], include: [], references: [] }
  return ts.parseJsonConfigFileContent(config, ts.sys, path.dirname(tsconfig)).options
}
