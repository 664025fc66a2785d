/**
 * Some sync programs replace a file by a small one under another name while its content is only in the cloud:
 * `.note.md.icloud` (iCloud), `note.md.nextcloud`, `note.md.owncloud` (virtual files).
 */
const suffixes = ['.nextcloud', '.owncloud']

export const standIns = {
  /** The names under which the content of `name` may wait to be downloaded. */
  of(name: string): readonly string[] {
    return [`.${name}.icloud`, ...suffixes.map((suffix) => name + suffix)]
  },

  /** The name that `name` stands in for; `undefined` for an ordinary file. */
  original(name: string): string | undefined {
    const icloud = /^\.(.+)\.icloud$/.exec(name)?.[1]
    if (icloud !== undefined) return icloud
    const suffix = suffixes.find((end) => name.endsWith(end) && name.length > end.length)
    return suffix === undefined ? undefined : name.slice(0, -suffix.length)
  },
}
