/** The notes that a text links to, by the names of their files: `[[name]]`, `[[folder/name#part|shown]]` and `[shown](../folder/name.md)`. */
export function linksIn(text: string): readonly string[] {
  const wiki = Array.from(text.matchAll(/\[\[([^\]|#^\n]+)[^\]\n]*\]\]/g), ([, target = '']) => target)
  const markdown = Array.from(text.matchAll(/\]\(<?([^)>\s]+\.md)(?:#[^)\s]*)?>?\)/g), ([, target = '']) =>
    decoded(target),
  )
  // An address is not a note.
  const named = [...wiki, ...markdown.filter((target) => !/^[a-z]+:/i.test(target))].map(fileNameOf)
  return [...new Set(named.filter((name) => name !== ''))]
}

/** Without its folder and the ending of Markdown, in the form in which names are compared. */
export function fileNameOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).trim()
  return name.replace(/\.md$/i, '').trim().normalize('NFC').toLowerCase()
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target)
  } catch {
    return target
  }
}
