/** The order in which a language model puts numbered texts, as it says it in JSON. */
import { z } from 'zod'
import { jsonOf } from '../../embedders/pure/json-of.ts'

const answer = z.object({ order: z.array(z.number().int()) })

/**
 * A score per text from a reply such as `{"order": [3, 1]}`: the first text in the list is the best, and texts that it leaves out come
 * last. Words around the JSON are ignored, because small models write them.
 */
export function orderIn(reply: string, texts: number): readonly number[] | { readonly wrong: string } {
  const [found] = /\{[^{}]*\}/.exec(reply) ?? []
  const parsed = answer.safeParse(found === undefined ? undefined : jsonOf(found))
  if (!parsed.success) return { wrong: 'it did not answer with the order of the texts.' }
  const { order } = parsed.data
  if (order.length === 0 && texts > 0) return { wrong: 'it did not put any text in order.' }
  if (order.some((number) => number < 1 || number > texts))
    return { wrong: `it named a text that is not among the ${texts} it was given.` }
  if (new Set(order).size !== order.length) return { wrong: 'it named a text twice.' }
  const places = new Map(order.map((number, place) => [number - 1, place]))
  return Array.from({ length: texts }, (_, i) => texts - (places.get(i) ?? texts))
}
