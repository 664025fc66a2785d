/** One place in the source where a rule does not hold. */
export interface Finding {
  /** A stable id: the gate, then the fault, such as `one-writer/write`. */
  readonly rule: string
  /** Relative to the root, with forward slashes. */
  readonly file: string
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number
  /** What is wrong and what to do about it. */
  readonly message: string
}

/** By file, then place, then rule: the order of every report. */
export function compareFindings(a: Finding, b: Finding): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return a.line - b.line || a.column - b.column || (a.rule < b.rule ? -1 : 1)
}
