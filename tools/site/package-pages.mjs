// @ts-check
/** One page for each package, from its sources: every public name with what it is for, its declaration and an example. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { publicApi } from '../public-api.mjs'
import { root } from '../run.mjs'

/** @typedef {import('../public-api.mjs').Entry} Entry */
/** @typedef {import('../public-api.mjs').PublicName} PublicName */

const kinds = /** @type {const} */ ([
  ['function', 'Functions'],
  ['class', 'Classes'],
  ['value', 'Values'],
  ['type', 'Types'],
])

/** @returns {import('./stage.mjs').Page[]} */
export function packagePages() {
  const entries = publicApi()
  const exported = new Set(entries.flatMap((entry) => entry.names.map(({ name }) => name)))
  const names = [...new Set(entries.map((entry) => entry.package))]
  const pages = names.map((name) =>
    packagePage(
      name,
      entries.filter((entry) => entry.package === name),
      exported,
    ),
  )
  return [overview(pages), ...pages]
}

/** @param {readonly import('./stage.mjs').Page[]} pages */
function overview(pages) {
  const rows = pages.map(({ file, title }) => {
    const { description } = manifestOf(path.basename(file, '.md'))
    return `| [\`${title}\`](${path.basename(file)}) | ${safe(description)} |`
  })
  const text = `${generated}# Packages\n\nEvery package can be installed alone. Each page lists what a package exports, from its sources.\n\n| package | what it is for |\n| --- | --- |\n${rows.join('\n')}\n`
  return { file: 'reference/packages/index.md', title: 'Packages', text }
}

const generated = `---\neditLink: false\n---\n\n`

/** @param {string} name @param {readonly Entry[]} entries @param {ReadonlySet<string>} exported by any package */
function packagePage(name, entries, exported) {
  const { name: title, description } = manifestOf(name)
  const repository = `https://github.com/agentm/agentm/blob/main/packages/${name}`
  const head = `# ${title}\n\n${safe(description)}. [Guarantees, limits and a first example](${repository}/README.md).\n\n\`\`\`sh\nnpm install ${title}\n\`\`\``
  const parts = entries
    .toSorted((a, b) => Number(b.isRoot) - Number(a.isRoot))
    .map((entry) => entryPart(entry, exported))
  return { file: `reference/packages/${name}.md`, title, text: `${generated}${[head, ...parts].join('\n\n')}\n` }
}

/** @param {string} name @returns {{ name: string, description: string }} */
function manifestOf(name) {
  return JSON.parse(readFileSync(path.join(root, 'packages', name, 'package.json'), 'utf8'))
}

/** @param {Entry} entry @param {ReadonlySet<string>} exported */
function entryPart(entry, exported) {
  if (entry.isRoot)
    return kinds.flatMap(([kind, heading]) => groupPart(entry, { kind, heading, exported })).join('\n\n')
  const names = kinds.flatMap(([kind]) => entry.names.filter((one) => one.kind === kind))
  const about = entry.about === '' ? [] : [prose(entry.about)]
  return [`## ${entry.specifier}`, ...about, ...names.map((one) => namePart(one, entry, exported))].join('\n\n')
}

/** @param {Entry} entry @param {{ readonly kind: PublicName['kind'], readonly heading: string, readonly exported: ReadonlySet<string> }} group */
function groupPart(entry, { kind, heading, exported }) {
  const names = entry.names.filter((one) => one.kind === kind)
  return names.length === 0 ? [] : [`## ${heading}`, ...names.map((one) => namePart(one, entry, exported))]
}

/** @param {PublicName} one @param {Entry} entry @param {ReadonlySet<string>} exported */
function namePart(one, entry, exported) {
  // Types that nobody can import are shown where they are used.
  const unnamed = one.mentioned.filter(({ name }) => !exported.has(name)).map(({ declaration }) => declaration)
  const isElsewhere = one.from !== undefined
  const said = one.doc === '' ? [] : [prose(one.doc)]
  const examples = one.examples.map((code) => `Example:\n\n\`\`\`ts\n${code.trim()}\n\`\`\``)
  if (isElsewhere && entry.isRoot)
    return [`### ${one.name}`, `From ${packageLink(one.from ?? '')}.`, ...said].join('\n\n')
  return [
    `### ${one.name}`,
    ...said,
    `\`\`\`ts\n${[one.declaration, ...unnamed].join('\n\n')}\n\`\`\``,
    ...examples,
  ].join('\n\n')
}

/** @param {string} name */
function packageLink(name) {
  return name.startsWith('@agentm/') ? `[${name}](${name.slice('@agentm/'.length)}.md)` : `the package \`${name}\``
}

/** A doc comment as a paragraph: what is not code must not read as HTML, nor as an expression of the page. @param {string} text */
function prose(text) {
  return text
    .replaceAll(/\{@link ([^}]+)\}/g, '`$1`')
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 0 ? safe(part) : part))
    .join('')
}

/** @param {string} text */
function safe(text) {
  return text.replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;')
}
