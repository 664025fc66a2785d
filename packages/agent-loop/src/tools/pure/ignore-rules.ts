/** Which paths the `.gitignore` files of a tree leave out. Within a file, and from the root down, the last rule that fits decides. */
import { globTest, type PathTest } from './glob.ts'

export interface IgnoreRule {
  /** Gets the path from the root of the tree. */
  readonly fits: PathTest
  readonly isForDirectories: boolean
  /** A rule with `!` brings a path back. */
  readonly isIgnored: boolean
}

/** `directory` holds the file: '' for the root, else its path from the root without a slash at the end. */
export function ignoreRules(text: string, directory: string): readonly IgnoreRule[] {
  return text.split(/\r?\n/).flatMap((line) => ruleOf(line, directory))
}

export function isIgnored(
  rules: readonly IgnoreRule[],
  { path, isDirectory }: { readonly path: string; readonly isDirectory: boolean },
): boolean {
  const last = rules.findLast(({ fits, isForDirectories }) => (isDirectory || !isForDirectories) && fits(path))
  return last?.isIgnored ?? false
}

function ruleOf(line: string, directory: string): readonly IgnoreRule[] {
  const written = line.replace(/(?<!\\) +$/, '')
  if (written === '' || written.startsWith('#')) return []
  const isBack = written.startsWith('!')
  const rule = isBack ? written.slice(1) : written
  const isForDirectories = rule.endsWith('/')
  const name = isForDirectories ? rule.slice(0, -1) : rule
  // A rule with a slash names a place; one without is for every directory below.
  const place = name.includes('/') ? name.replace(/^\//, '') : `**/${name}`
  // Braces are ordinary characters in these files.
  const test = globTest(place.replaceAll(/[{}]/g, String.raw`\$&`))
  if (test === undefined || name === '') return []
  const below = directory === '' ? '' : `${directory}/`
  const fits = (path: string): boolean => path.startsWith(below) && test(path.slice(below.length))
  return [{ fits, isForDirectories, isIgnored: !isBack }]
}
