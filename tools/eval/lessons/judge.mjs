// @ts-check
/** Lessons beside what was worth learning. */

/** @typedef {import('./read-sessions.mjs').Project} Project */
/** @typedef {import('./read-sessions.mjs').Worth} Worth */
/** @typedef {{ readonly project: string, readonly kind: string, readonly statement: string, readonly turns: readonly string[] }} Learned `turns` as `SESSION TURN` */

/** What is seen several times may be learned from other turns than the labelled one. */
const seenOften = new Set(['command', 'convention'])

/**
 * Right is a statement that says something labelled, and names a turn it was labelled at. The same thing twice from one rule is wrong the second
 * time.
 * @param {readonly Project[]} projects @param {readonly Learned[]} learned
 */
export function judge(projects, learned) {
  /** By which kinds of lessons each is known. @type {Map<Worth, Set<string>>} */
  const known = new Map()
  /** @type {Map<string, { learned: number, right: number, worth: number, known: number }>} */
  const kinds = new Map()
  const of = (/** @type {string} */ kind) => {
    const row = kinds.get(kind) ?? { learned: 0, right: 0, worth: 0, known: 0 }
    kinds.set(kind, row)
    return row
  }
  /** @type {string[]} */
  const listed = []
  for (const lesson of learned) {
    const worth = projects.find(({ name }) => name === lesson.project)?.worth ?? []
    const said = worth.filter((each) => says(lesson, each))
    const isRight = said.some((each) => known.get(each)?.has(lesson.kind) !== true)
    for (const each of said) known.set(each, (known.get(each) ?? new Set()).add(lesson.kind))
    of(lesson.kind).learned += 1
    if (isRight) of(lesson.kind).right += 1
    else listed.push(`${said.length > 0 ? 'twice' : 'wrong'}  ${lesson.project}: [${lesson.kind}] ${lesson.statement}`)
  }
  for (const each of projects.flatMap(({ worth }) => worth)) {
    of(each.kind).worth += 1
    if (known.has(each)) of(each.kind).known += 1
    else listed.push(`missed ${each.session}/${each.turn}: [${each.kind}] ${each.text}`)
  }
  return { rows: Object.fromEntries(kinds), listed, taken: taken(projects, learned) }
}

/** @param {Learned} lesson @param {Worth} worth */
function says({ statement, turns, kind }, worth) {
  const isFromThere = turns.includes(`${worth.session} ${worth.turn}`)
  return (
    (isFromThere || (seenOften.has(worth.kind) && kind === worth.kind)) &&
    worth.words.every((word) => word.test(statement))
  )
}

/** How many of the tempting things were learned. @param {readonly Project[]} projects @param {readonly Learned[]} learned */
function taken(projects, learned) {
  const all = projects.flatMap(({ tempting }) => tempting)
  const some = all.filter((each) => isTaken(each, learned))
  return { taken: some.length, of: all.length }
}

/** @param {import('./read-sessions.mjs').Tempting} tempting @param {readonly Learned[]} learned */
export function isTaken({ session, turn, quote, project }, learned) {
  return learned.some(
    (each) =>
      each.project === project &&
      each.turns.includes(`${session} ${turn}`) &&
      each.statement.toLowerCase().includes(quote.toLowerCase()),
  )
}

/** The interval of Wilson, 95 %. @param {number} some @param {number} all */
export function wilson(some, all) {
  if (all === 0) return { low: 0, high: 1 }
  const [z, share] = [1.96, some / all]
  const middle = (share + (z * z) / (2 * all)) / (1 + (z * z) / all)
  const half = (z / (1 + (z * z) / all)) * Math.sqrt((share * (1 - share)) / all + (z * z) / (4 * all * all))
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) }
}
