/** How an edit stands among what ended a failure. Commands stand there as they were run. */

/** The edit of a file. */
export function fixingEdit(file: string): string {
  return `edit ${file}`
}

/** True for an edit. A command of the same form counts as one, so that nothing is learned from a doubtful case. */
export function isFixingEdit(step: string): boolean {
  return step.startsWith('edit ')
}
