/** A text with one passage replaced, or how often the passage is there if that is not once. */
export function replaceOnce(
  text: string,
  { find, replace }: { readonly find: string; readonly replace: string },
): { readonly text: string } | { readonly times: number } {
  const pieces = text.split(find)
  const [before, after] = pieces
  if (pieces.length !== 2 || before === undefined || after === undefined) return { times: pieces.length - 1 }
  return { text: before + replace + after }
}
