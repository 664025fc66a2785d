// @ts-check
/**
 * What the packages offer, read from their sources: every name of their entries with its doc comment, its declaration and its
 * examples. An entry whose first comment says `@internal`, and a name or a member that says so, is left out.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { root } from './run.mjs'

/**
 * @typedef {object} Entry
 * @property {string} package its folder, such as `nodes`
 * @property {string} specifier what is imported, such as `@agentm/nodes/store-kit`
 * @property {boolean} isRoot
 * @property {string} about the comment at its head
 * @property {readonly PublicName[]} names
 */

/**
 * @typedef {object} PublicName
 * @property {string} name
 * @property {'function' | 'class' | 'type' | 'value'} kind
 * @property {string} doc its own comment, as Markdown
 * @property {string} declaration what TypeScript sees of it, without bodies
 * @property {readonly { readonly name: string, readonly declaration: string }[]} mentioned the types of ours that it names
 * @property {readonly string[]} examples the code of each `@example`
 * @property {string} file where it is declared, relative to the repository
 * @property {string | undefined} from the package that declares it, when that is another one
 */

/** @returns {readonly Entry[]} in the order of their packages, each root first */
export function publicApi() {
  const entries = entryFiles()
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    compilerOptions(),
  )
  return entries.flatMap(({ file, ...rest }) => {
    const source = program.getSourceFile(file)
    if (source === undefined) throw new TypeError(`${file} cannot be read`)
    const head = headOf(source)
    if (/@internal\b/.test(head)) return []
    return [{ ...rest, about: head, names: namesOf(source, rest.package, program.getTypeChecker()) }]
  })
}

/** The options the packages themselves are compiled with, and nothing is written. @returns {ts.CompilerOptions} */
export function compilerOptions() {
  const file = path.join(root, 'tsconfig.base.json')
  const { options } = ts.convertCompilerOptionsFromJson(
    ts.readConfigFile(file, (name) => readFileSync(name, 'utf8')).config.compilerOptions,
    root,
  )
  const unwritten = { composite: false, declarationMap: false, sourceMap: false, noEmit: true }
  return { ...options, ...unwritten, rewriteRelativeImportExtensions: false, allowImportingTsExtensions: true }
}

/** @returns {{ package: string, specifier: string, isRoot: boolean, file: string }[]} */
function entryFiles() {
  const packages = path.join(root, 'packages')
  const folders = readdirSync(packages).filter((name) => existsSync(path.join(packages, name, 'package.json')))
  return folders.toSorted().flatMap((folder) => {
    const manifest = JSON.parse(readFileSync(path.join(packages, folder, 'package.json'), 'utf8'))
    return Object.entries(manifest.exports)
      .filter(([, target]) => typeof target === 'object')
      .map(([subpath, target]) => ({
        package: folder,
        specifier: `${manifest.name}${subpath.slice(1)}`,
        isRoot: subpath === '.',
        file: path.join(packages, folder, target['@agentm/source']),
      }))
  })
}

/** The comment before the first statement of a file. @param {ts.SourceFile} source */
function headOf(source) {
  const [comment] = ts.getLeadingCommentRanges(source.text, 0) ?? []
  const [first] = source.statements
  if (comment === undefined || (first !== undefined && isDeclared(first))) return ''
  return textOfComment(source.text.slice(comment.pos, comment.end))
}

/** A comment right before a declaration is that declaration's. @param {ts.Statement} statement */
function isDeclared(statement) {
  return !ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)
}

/** @param {string} comment */
function textOfComment(comment) {
  return comment
    .replaceAll(/^\/\*\*?|\*\/$/g, '')
    .replaceAll(/^[ \t]*\* ?/gm, '')
    .trim()
}

/** @param {ts.SourceFile} source @param {string} home the package of the entry @param {ts.TypeChecker} checker @returns {PublicName[]} */
function namesOf(source, home, checker) {
  const module = checker.getSymbolAtLocation(source)
  if (module === undefined) return []
  return checker.getExportsOfModule(module).flatMap((exported) => {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
    const tags = symbol.getJsDocTags(checker)
    if (tags.some(({ name }) => name === 'internal')) return []
    const [first] = symbol.declarations ?? []
    if (first === undefined) throw new TypeError(`${exported.name} of ${source.fileName} has no declaration`)
    const file = path.relative(root, first.getSourceFile().fileName).split(path.sep).join('/')
    const [, ours, theirs] = /(?:^packages\/([^/]+)|.*node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(file) ?? []
    const owner = ours === undefined ? theirs : `@agentm/${ours}`
    return [
      {
        name: exported.name,
        kind: kindOf(symbol),
        doc: ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim(),
        declaration: declarationOf(symbol, checker),
        mentioned: mentionedBy(symbol, checker),
        examples: tags
          .filter(({ name }) => name === 'example')
          .map(({ text }) => codeIn(ts.displayPartsToString(text))),
        file,
        from: owner === `@agentm/${home}` ? undefined : owner,
      },
    ]
  })
}

/** @param {ts.Symbol} symbol @returns {PublicName['kind']} */
function kindOf({ flags }) {
  if (flags & ts.SymbolFlags.Class) return 'class'
  if (flags & ts.SymbolFlags.Function) return 'function'
  return flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias) && !(flags & ts.SymbolFlags.Variable)
    ? 'type'
    : 'value'
}

/** @param {string} example */
function codeIn(example) {
  return /```\w*\n(.*?)\n?```/s.exec(example)?.[1] ?? example
}

/** @param {ts.Symbol} symbol @param {ts.TypeChecker} checker */
function declarationOf(symbol, checker) {
  const declarations = symbol.declarations ?? []
  // Of a function with overloads, the last declaration is the one nobody can call.
  const shown =
    declarations.length > 1 ? declarations.filter((one) => !(ts.isFunctionDeclaration(one) && one.body)) : declarations
  return shown.map((one) => shownDeclaration(one, checker)).join('\n\n')
}

/**
 * A caller writes `{ store, owner }` and never the name of its type, so the type is not exported; what it holds is part of the
 * declaration all the same.
 * @param {ts.Symbol} symbol @param {ts.TypeChecker} checker
 */
function mentionedBy(symbol, checker) {
  /** @type {Map<ts.Symbol, string>} */
  const found = new Map()
  for (const declared of symbol.declarations ?? []) for (const part of signatureParts(declared)) visit(part)
  found.delete(symbol)
  return [...found.entries()].map(([{ name }, declaration]) => ({ name, declaration }))

  /** @param {ts.Node} node */
  function visit(node) {
    if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node)) keep(node)
    ts.forEachChild(node, visit)
  }

  /** @param {ts.TypeReferenceNode | ts.ExpressionWithTypeArguments} node */
  function keep(node) {
    const named = checker.getSymbolAtLocation(ts.isTypeReferenceNode(node) ? node.typeName : node.expression)
    if (named === undefined) return
    const meant = named.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(named) : named
    const [first] = meant.declarations ?? []
    if (first === undefined || !(ts.isInterfaceDeclaration(first) || ts.isTypeAliasDeclaration(first))) return
    if (found.has(meant) || !/\/packages\/[^/]+\/src\//.test(first.getSourceFile().fileName)) return
    found.set(meant, shownDeclaration(first, checker))
    // What it extends is half of it.
    if (ts.isInterfaceDeclaration(first)) for (const clause of first.heritageClauses ?? []) visit(clause)
  }
}

/** What a caller sees: of a function its head, of a class its public members without their bodies. @param {ts.Declaration} declared @returns {readonly ts.Node[]} */
function signatureParts(declared) {
  if (ts.isClassDeclaration(declared))
    return [...(declared.heritageClauses ?? []), ...declared.members.filter(isPublic).flatMap(signatureParts)]
  if (ts.isVariableDeclaration(declared) || ts.isPropertyDeclaration(declared))
    return declared.type === undefined ? [] : [declared.type]
  if (!ts.isFunctionLike(declared)) return [declared]
  return [...declared.parameters, declared.type].filter((part) => part !== undefined)
}

/** @param {ts.Declaration} declared @param {ts.TypeChecker} checker */
function shownDeclaration(declared, checker) {
  if (ts.isClassDeclaration(declared)) return `${headingOf(declared)} {\n${membersOf(declared, checker)}\n}`
  if (ts.isInterfaceDeclaration(declared)) return `${headingOf(declared)} {\n${membersOf(declared, checker)}\n}`
  if (ts.isFunctionDeclaration(declared)) return plain(upTo(declared, declared.body))
  if (ts.isTypeAliasDeclaration(declared)) return aliasOf(declared, checker)
  if (ts.isVariableDeclaration(declared))
    return `const ${nameOf(declared)}: ${typeOf(declared, declared.type, checker)}`
  return ''
}

/** `interface Name<T> extends Base`, `abstract class Name extends Base`. @param {ts.ClassDeclaration | ts.InterfaceDeclaration} declared */
function headingOf(declared) {
  const open = declared.members.pos - 1
  return plain(declared.getSourceFile().text.slice(declared.getStart(), open))
}

/** @param {ts.ClassDeclaration | ts.InterfaceDeclaration} declared @param {ts.TypeChecker} checker */
function membersOf(declared, checker) {
  const text = declared.getSourceFile().text
  return [...declared.members]
    .filter((member) => isPublic(member))
    .map((member) => {
      const [comment] = (ts.getLeadingCommentRanges(text, member.getFullStart()) ?? []).slice(-1)
      const said =
        comment === undefined || !text.startsWith('/**', comment.pos) ? '' : `${text.slice(comment.pos, comment.end)}\n`
      return indented(`${dedented(said, text, member)}${dedented(memberOf(member, checker), text, member)}`)
    })
    .join('\n')
}

/** @param {ts.ClassElement | ts.TypeElement} member */
function isPublic(member) {
  if (ts.getJSDocTags(member).some(({ tagName }) => tagName.text === 'internal')) return false
  if (member.name !== undefined && ts.isPrivateIdentifier(member.name)) return false
  if (ts.isClassStaticBlockDeclaration(member)) return false
  return (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private) === 0
}

/** @param {ts.ClassElement | ts.TypeElement} member @param {ts.TypeChecker} checker */
function memberOf(member, checker) {
  if (ts.isPropertyDeclaration(member)) {
    const before = plain(upTo(member, member.type ?? member.initializer))
      .replace(/\s*[:=]\s*$/, '')
      .replace(/[;,]$/, '')
    return `${before}: ${typeOf(member, member.type, checker)}`
  }
  const body = 'body' in member ? /** @type {ts.Node | undefined} */ (member.body) : undefined
  // A parameter that the inherited method does not use is one all the same.
  return plain(upTo(member, body))
    .replace(/[;,]$/, '')
    .replaceAll(/([(,] ?)_(?=\w+\??:)/g, '$1')
}

/** Its text up to where the other node begins. @param {ts.Node} node @param {ts.Node | undefined} end */
function upTo(node, end) {
  const source = node.getSourceFile()
  return source.text
    .slice(node.getStart(), end?.getStart() ?? node.getEnd())
    .trim()
    .replace(/^export /, '')
}

/** Without what says nothing to a caller. @param {string} text */
function plain(text) {
  return text.replaceAll(/\b(export|declare|override|async|public) /g, '').trim()
}

/** A type worked out from a schema is shown as what it is. @param {ts.TypeAliasDeclaration} declared @param {ts.TypeChecker} checker */
function aliasOf(declared, checker) {
  const written = upTo(declared, undefined)
  if (!/\b(z\.(infer|input|output)|Infer|ReturnType|typeof)\b/.test(declared.type.getText())) return written
  return `type ${declared.name.text} = ${spelledOut(checker.getTypeAtLocation(declared), declared, checker)}`
}

/** @param {ts.Node} node @param {ts.TypeNode | undefined} written @param {ts.TypeChecker} checker */
function typeOf(node, written, checker) {
  return written?.getText() ?? spelledOut(checker.getTypeAtLocation(node), node, checker)
}

/** @param {ts.Type} type @param {ts.Node} node @param {ts.TypeChecker} checker */
function spelledOut(type, node, checker) {
  const { NoTruncation, InTypeAlias, MultilineObjectLiterals, UseSingleQuotesForStringLiteralType } =
    ts.NodeBuilderFlags
  const flags = NoTruncation | InTypeAlias | MultilineObjectLiterals | UseSingleQuotesForStringLiteralType
  const written = checker.typeToTypeNode(type, node, flags)
  if (written === undefined) return keysOf(type, checker)
  const text = ts
    .createPrinter({ removeComments: true })
    .printNode(ts.EmitHint.Unspecified, written, node.getSourceFile())
    .replaceAll(/import\(["'][^"']*["']\)\./g, '')
    .replaceAll(/;$/gm, '')
    .replaceAll('    ', '  ')
  return text.length <= 3000 ? text : keysOf(type, checker)
}

/** Of a table with many entries, which there are says more than what each of them is. @param {ts.Type} type @param {ts.TypeChecker} checker */
function keysOf(type, checker) {
  const keys = checker.getPropertiesOfType(type).map(({ name }) => `\n  | '${name}'`)
  return `Readonly<Record<${keys.join('')},\n  object\n>>`
}

/** @param {ts.VariableDeclaration} declared */
function nameOf(declared) {
  return declared.name.getText()
}

/** @param {string} text @param {string} source @param {ts.Node} member */
function dedented(text, source, member) {
  const lineStart = source.lastIndexOf('\n', member.getStart()) + 1
  const indent = /^[ \t]*/.exec(source.slice(lineStart))?.[0] ?? ''
  return text.replaceAll(`\n${indent}`, '\n')
}

/** @param {string} text */
function indented(text) {
  return text.replaceAll(/^(?=.)/gm, '  ')
}
