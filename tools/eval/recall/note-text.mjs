// @ts-check
/** What a search over files sees of a note: the whole file, with its path and its fields. @param {import('../../../packages/cli/dist/eval/labelled-set.js').LabelledNote} note */
export function noteText({ title, text, file }) {
  return file === undefined ? `${title}\n${text}` : `${file.path}\n${file.text}`
}
