/** Replaces a passage that occurs exactly once; otherwise returns how often it occurs. */
export function replaceOnce(
  text: string,
  { find, replace }: { readonly find: string; readonly replace: string },
): { readonly text: string } | { readonly times: number } {
  const pieces = text.split(find)
  const [before, after] = pieces
  if (pieces.length !== 2 || before === undefined || after === undefined) return { times: pieces.length - 1 }
  return { text: before + replace + after }
}
