/**
 * A Markdown text whose links to other files name the notes that these files become. Links to anything else stay as they are. No part of a link
 * may contain a bracket, so that a text of nothing but brackets takes no longer than any other.
 */
export function relinked(text: string, slugs: ReadonlyMap<string, string>): string {
  return text
    .replaceAll(/\[\[([^[\]|#^\n]+)([#^][^[\]|\n]*)?(\|[^[\]\n]*)?\]\]/g, (whole, target: string, part = '', shown) => {
      const slug = slugFor(target, slugs)
      return slug === undefined ? whole : `[[${slug}${part}${shown ?? `|${target}`}]]`
    })
    .replaceAll(
      /\]\((<?)([^()[\]<>\s#]+\.md)(#[^()[\]\s>]*)?(>?)\)/gi,
      (whole, open, target: string, part = '', end) => {
        const slug = /^[a-z]+:/i.test(target) ? undefined : slugFor(decoded(target), slugs)
        return slug === undefined ? whole : `](${open}${slug}.md${part}${end})`
      },
    )
}

function slugFor(target: string, slugs: ReadonlyMap<string, string>): string | undefined {
  const name = target
    .trim()
    .replace(/^(?:\.\.?\/)+/, '')
    .toLowerCase()
  const short = name.slice(name.lastIndexOf('/') + 1)
  return slugs.get(name) ?? slugs.get(`${name}.md`) ?? slugs.get(short) ?? slugs.get(short.replace(/\.md$/, ''))
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target)
  } catch {
    return target
  }
}
