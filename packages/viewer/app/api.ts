/** Questions to the server, and changes. */
import type { Changed, Refused } from '../src/contract/frame.ts'

/** What the server refused, in words for a person. */
export class ApiError extends Error {
  readonly code: string
  constructor({ code, message }: Refused) {
    super(message)
    this.code = code
  }
}

export async function ask<T>(address: string, signal?: AbortSignal): Promise<T> {
  return answerOf(await reach(address, signal === undefined ? {} : { signal }))
}

/** `room` names the part of the page, such as `plans`. */
export async function send(room: string, change: object): Promise<Changed> {
  const headers = { 'Content-Type': 'application/json', 'X-Agentm-View': '1' }
  return answerOf(await reach(`/api/change/${room}`, { method: 'POST', headers, body: JSON.stringify(change) }))
}

async function reach(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, { ...init, credentials: 'same-origin' })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError({ code: 'UNREACHABLE', message: 'agentm view does not answer. Start it again in a terminal.' })
  }
}

async function answerOf<T>(response: Response): Promise<T> {
  const body: unknown = await response.json()
  if (!response.ok) throw new ApiError(body as Refused)
  return body as T
}
