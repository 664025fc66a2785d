/**
 * The JSON values in a reply, most likely first: the whole text, the text in code fences, and the outermost object or list. Models
 * often wrap their answers although the prompt forbids it.
 */
export function jsonInText(text: string): readonly unknown[] {
  const fenced = [...text.matchAll(/```[^\n`]*\n([\s\S]*?)```/g)].map(([, inner]) => inner ?? '')
  const values = [text, ...fenced, outermost(text, '{', '}'), outermost(text, '[', ']')].flatMap(parsed)
  return values.filter((value) => typeof value === 'object' && value !== null).concat(values.filter(isScalar))
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

function outermost(text: string, first: string, last: string): string {
  const from = text.indexOf(first)
  return from === -1 ? '' : text.slice(from, text.lastIndexOf(last) + 1)
}

function parsed(text: string): readonly unknown[] {
  if (text.trim() === '') return []
  try {
    return [JSON.parse(text)]
  } catch {
    return []
  }
}
