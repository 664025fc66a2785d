import type { BeliefList } from '../contract/beliefs.ts'
import { NothingHereError, type Room } from '../room.ts'
import type { ViewSource } from '../view-source.ts'
import { beliefPage, listBeliefs } from './belief-pages.ts'
import { makeBeliefChange } from './make-belief-change.ts'
import { parseBeliefChange } from './pure/parse-belief-change.ts'

export function beliefsRoom(source: ViewSource): Room {
  return {
    name: 'beliefs',
    reads: {
      '/api/beliefs': async ({ query }) =>
        (await source.fromLog(async (reader, owner) => {
          const shelf = await reader.beliefs(owner)
          return shelf && listBeliefs(shelf, query)
        })) ?? noBeliefs(),
      '/api/beliefs/:id': async ({ id }) => {
        const project = await source.project()
        const page = await source.fromLog(async (reader, owner) => {
          const [shelf, log] = [await reader.beliefs(owner), await reader.log()]
          return shelf && log && beliefPage({ shelf, log, owner, project }, id)
        })
        if (page === undefined) throw new NothingHereError('beliefs')
        return page
      },
    },
    change(sent) {
      const wanted = parseBeliefChange(sent)
      return wanted && changeKnown(source, wanted)
    },
  }
}

/** Looked up first, because opening the log for writing would make one. */
async function changeKnown(source: ViewSource, wanted: Parameters<typeof makeBeliefChange>[1]) {
  const known = await source.fromLog(async (reader, owner) => (await reader.beliefs(owner))?.show(wanted.id))
  if (known === undefined) throw new NothingHereError('beliefs')
  return makeBeliefChange(await source.workspace(), wanted)
}

function noBeliefs(): BeliefList {
  const counts = { active: 0, waiting: 0, forgotten: 0 }
  return { hasLog: false, beliefs: [], total: 0, counts, projects: [], now: Date.now() }
}
