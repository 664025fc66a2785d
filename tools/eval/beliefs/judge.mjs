// @ts-check
/** Beliefs beside what was worth knowing. */

/** @typedef {import('./world.mjs').World} World */
/** @typedef {{ readonly partition: string, readonly status: string, readonly content: string, readonly prunedBy: string | undefined, readonly successor: string | undefined }} Belief */

/** Said for two different goals: more than one plan repeating itself. */
const enough = 2

/** @param {World} world @param {readonly Belief[]} beliefs */
export function judge({ facts, labels }, beliefs) {
  const active = beliefs.filter(({ status }) => status === 'active')
  const labelOf = (/** @type {Belief} */ { partition, content }) => labels.get(`${partition}: ${content}`)
  /** @type {Set<string>} */
  const known = new Set()
  /** @type {string[]} */
  const listed = []
  const counted = { junk: 0, twice: 0 }
  for (const belief of active) {
    const label = labelOf(belief)
    const key = label === undefined ? '' : `${label.fact} ${label.isLater ? 'later' : 'before'}`
    const is = label === undefined ? 'junk' : known.has(key) ? 'twice' : 'worth knowing'
    if (is !== 'worth knowing') counted[is] += 1
    known.add(key)
    listed.push(`${is.padEnd(14)} ${belief.partition}: ${belief.content}`)
  }
  const isKnown = (/** @type {string} */ id, /** @type {'before' | 'later'} */ when) => known.has(`${id} ${when}`)
  const wasKnown = (/** @type {string} */ id) =>
    beliefs.some((belief) => labelOf(belief)?.fact === id && !labelOf(belief)?.isLater)
  const changed = facts.filter(
    ({ id, later, goalsAfter }) => later.length > 0 && goalsAfter.size >= enough && wasKnown(id),
  )
  const lasting = facts.filter(({ goalsBefore, goalsAfter }) => goalsAfter.size === 0 && goalsBefore.size >= enough)
  const superseded = changed.filter(({ id }) => isKnown(id, 'later') && !isKnown(id, 'before'))
  for (const { id, said, later } of changed.filter((fact) => !superseded.includes(fact))) {
    const held = active.filter(
      ({ content, partition }) => id.startsWith(`${partition}/`) && (said.includes(content) || later.includes(content)),
    )
    listed.push(`not superseded ${id}: ${said[0]} | held: ${held.map(({ content }) => content).join(' ')}`)
  }
  const lost = beliefs.filter((belief) => {
    const label = labelOf(belief)
    const fact = facts.find(({ id }) => id === label?.fact)
    const isRight = fact?.goalsAfter.size === 0 || label?.isLater === true
    return belief.prunedBy === 'superseded' && label !== undefined && isRight
  })
  for (const { content, successor } of lost) listed.push(`wrongly over   ${content} <- ${successor}`)
  for (const { id } of lasting.filter((fact) => !isKnown(fact.id, 'before'))) listed.push(`not learned ${id}`)
  return {
    listed,
    figures: {
      beliefs: active.length,
      junk: share(counted.junk, active.length),
      twice: share(counted.twice, active.length),
      learned: share(lasting.filter(({ id }) => isKnown(id, 'before')).length, lasting.length),
      changes: changed.length,
      superseded: share(superseded.length, changed.length),
      'wrongly over': lost.length,
      calls: 0,
    },
  }
}

/** Never a whole number, so that it prints as a share. @param {number} some @param {number} all */
function share(some, all) {
  return all === 0 ? 1e-9 : some / all + 1e-9
}
