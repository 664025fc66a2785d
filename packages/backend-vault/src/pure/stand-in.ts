/**
 * The placeholder files of sync programs. While the content of a file is only in the cloud, some sync programs keep a small file under
 * another name: `.note.md.icloud` (iCloud), `note.md.nextcloud`, `note.md.owncloud` (virtual files).
 */
const suffixes = ['.nextcloud', '.owncloud']

export const standIns = {
  /** The possible placeholder names of the file `name`. */
  of(name: string): readonly string[] {
    return [`.${name}.icloud`, ...suffixes.map((suffix) => name + suffix)]
  },

  /** The file that the placeholder `name` stands for; `undefined` if `name` is an ordinary file. */
  original(name: string): string | undefined {
    const icloud = /^\.(.+)\.icloud$/.exec(name)?.[1]
    if (icloud !== undefined) return icloud
    const suffix = suffixes.find((end) => name.endsWith(end) && name.length > end.length)
    return suffix === undefined ? undefined : name.slice(0, -suffix.length)
  },
}
