/** The names that a file imports from other modules at run time. */
import { ts } from 'ts-morph'
import { literalText } from '../syntax/literal-text.ts'

export interface ModuleUse {
  readonly specifier: string
  /** The imported names; `undefined` for all of them. */
  readonly names: readonly string[] | undefined
  readonly node: ts.Node
}

export function moduleUses(source: ts.SourceFile): ModuleUse[] {
  return source.statements.flatMap((statement) => {
    if (ts.isImportDeclaration(statement)) return importUse(statement)
    if (ts.isExportDeclaration(statement)) return exportUse(statement)
    if (ts.isImportEqualsDeclaration(statement) && ts.isExternalModuleReference(statement.moduleReference))
      return use(statement.moduleReference.expression, undefined, statement)
    return []
  })
}

/** The module and name that a re-export leads to; `undefined` if the file declares the name. */
export function handedOn(source: ts.SourceFile, name: string): { specifier: string; name: string } | undefined {
  for (const statement of source.statements) {
    if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier === undefined) continue
    const specifier = literalText(statement.moduleSpecifier) ?? ''
    const clause = statement.exportClause
    if (clause === undefined || !ts.isNamedExports(clause)) continue
    const found = clause.elements.find((element) => element.name.text === name)
    if (found !== undefined) return { specifier, name: (found.propertyName ?? found.name).text }
  }
  return undefined
}

function importUse(statement: ts.ImportDeclaration): ModuleUse[] {
  const clause = statement.importClause
  if (clause === undefined) return use(statement.moduleSpecifier, undefined, statement)
  if (clause.isTypeOnly) return []
  const bindings = clause.namedBindings
  if (bindings !== undefined && ts.isNamespaceImport(bindings))
    return use(statement.moduleSpecifier, undefined, statement)
  const taken = bindings?.elements.filter(({ isTypeOnly }) => !isTypeOnly) ?? []
  const names = taken.map((element) => (element.propertyName ?? element.name).text)
  return use(statement.moduleSpecifier, clause.name === undefined ? names : ['default', ...names], statement)
}

function exportUse(statement: ts.ExportDeclaration): ModuleUse[] {
  if (statement.moduleSpecifier === undefined || statement.isTypeOnly) return []
  const clause = statement.exportClause
  if (clause === undefined || ts.isNamespaceExport(clause)) return use(statement.moduleSpecifier, undefined, statement)
  const taken = clause.elements.filter(({ isTypeOnly }) => !isTypeOnly)
  return use(
    statement.moduleSpecifier,
    taken.map((element) => (element.propertyName ?? element.name).text),
    statement,
  )
}

function use(specifier: ts.Expression, names: readonly string[] | undefined, node: ts.Node): ModuleUse[] {
  const text = literalText(specifier)
  return text === undefined ? [] : [{ specifier: text, names, node }]
}
