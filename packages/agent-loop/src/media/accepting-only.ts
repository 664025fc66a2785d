/** A model that gets only the pictures and documents that it takes, so that it can answer in place of one that takes more. */
import type { Message, Model } from '../loop/model.ts'
import type { MediaKind } from './media-part.ts'
import { withoutParts } from './pure/without-parts.ts'

export function acceptingOnly(model: Model, accepts: readonly MediaKind[]): Model {
  const price = model.costMicrosOf?.bind(model)
  const why = 'this model does not take it'
  const taken = (message: Message): Message => withoutParts(message, ({ kind }) => accepts.includes(kind), why)
  return {
    ...(price !== undefined && { costMicrosOf: price }),
    respond: async (request) => model.respond({ ...request, messages: request.messages.map(taken) }),
  }
}
