/** The files that a patch in the format of `apply_patch` adds, changes, deletes or moves, in the order they are named. */
export function patchFiles(patch: string): readonly string[] {
  const named = patch.matchAll(/^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm)
  return [...new Set([...named].map(([, file]) => (file ?? '').trim()))].filter((file) => file !== '')
}
