// @ts-check
/** A model that knows the labels: it words what is worth knowing, keeps nothing else, and sees what contradicts. */

/** @typedef {import('./world.mjs').World} World */
/** @typedef {{ readonly number: number, readonly content: string, readonly from?: string }} Shown */
/** @typedef {{ readonly number?: number, readonly episodes: readonly Shown[], readonly beliefs: readonly Shown[] }} Subject */

/** @param {World} world @returns {import('../../../packages/agent-loop/dist/models/index.js').AiSdkModelOptions extends never ? never : any} */
export function idealModel({ labels }) {
  const known = [...labels].map(([key, label]) => ({
    text: key.slice(key.indexOf(': ') + 2),
    partition: key.slice(0, key.indexOf(': ')),
    label,
  }))
  /** @param {Subject} subject */
  const answerOf = ({ number, episodes, beliefs }) => {
    const own = episodes.filter(({ from }) => from === 'the agents')
    const found = known.flatMap((each) => {
      const from = own.filter(({ content }) => content.includes(each.text)).map((episode) => episode.number)
      return from.length === 0 ? [] : [{ ...each, from }]
    })
    const [said] = found.toSorted((a, b) => b.from.length - a.from.length)
    if (said === undefined)
      return { ...(number !== undefined && { number }), distilled: false, why: 'nothing worth keeping' }
    const same = found.filter(({ label }) => label.fact === said.label.fact && label.isLater === said.label.isLater)
    const labelled = (/** @type {Shown} */ { content }) =>
      known.find(
        ({ text, label }) => text === content && label.fact.split('/').at(-1) === said.label.fact.split('/').at(-1),
      )
    const hints = beliefs.map((belief) => ({ belief, label: labelled(belief)?.label }))
    const hint = hints.find(
      ({ label }) => label !== undefined && label.isLater === said.label.isLater && label.fact === said.label.fact,
    )
    const over = hints.find(
      ({ label }) => label !== undefined && label.isLater !== said.label.isLater && label.fact === said.label.fact,
    )
    return {
      ...(number !== undefined && { number }),
      distilled: true,
      kind: 'fact',
      content: hint?.belief.content ?? said.text,
      confidence: 0.7,
      from: [...new Set(same.flatMap(({ from }) => from))],
      ...(over !== undefined && { contradicts: over.belief.number }),
    }
  }
  return {
    /** @param {{ readonly messages: readonly { readonly role: string, readonly text: string }[] }} request */
    async respond({ messages }) {
      const asked = JSON.parse(messages.findLast(({ role }) => role === 'user')?.text ?? '{}')
      const answer = asked.clusters === undefined ? answerOf(asked) : { answers: asked.clusters.map(answerOf) }
      return { text: JSON.stringify(answer), calls: [], usage: { inputTokens: 1000, outputTokens: 100 } }
    },
  }
}
