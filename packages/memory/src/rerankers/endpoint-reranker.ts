/**
 * A reranker behind a `/rerank` endpoint, as Jina, Cohere, vLLM, llama.cpp and TEI (Hugging Face) serve it. TEI calls the texts `texts`
 * instead of `documents`; which name the server wants is learned from its first refusal.
 */
import { RerankerFailedError } from '../memory-errors.ts'
import { scoresIn } from './pure/scores-in.ts'
import type { Reranker } from './reranker.ts'

/** Options of `endpointReranker`. */
export interface EndpointRerankerOptions {
  /** Such as `https://api.jina.ai/v1`; `/rerank` is added. */
  readonly url: string
  /** Some servers serve one model and need no name. */
  readonly model?: string
  /** Sent only in the header. */
  readonly apiKey?: string
  readonly fetch?: typeof fetch
}

type TextsName = 'documents' | 'texts'

/** A reranker behind a `/rerank` endpoint. */
export function endpointReranker(options: EndpointRerankerOptions): Reranker {
  const { url, model } = options
  const base = url.replace(/\/+$/, '')
  const name = `${model ?? 'reranker'} at ${new URL(base).host}`
  const at = { name, url: base.endsWith('/rerank') ? base : `${base}/rerank` }
  let textsName: TextsName = 'documents'
  return {
    name,
    async rerank(question, texts, { signal }) {
      const asked = { question, texts, signal }
      let answer = await post(options, at, { ...asked, textsName })
      if (textsName === 'documents' && wantsOtherName.has(answer.status)) {
        const again = await post(options, at, { ...asked, textsName: 'texts' })
        if (again.ok) [answer, textsName] = [again, 'texts']
      }
      if (!answer.ok) throw new RerankerFailedError(name, refusal(answer.status))
      const scores = scoresIn(answer.text, texts.length)
      if ('wrong' in scores) throw new RerankerFailedError(name, scores.wrong)
      return scores
    },
  }
}

/** What servers answer to a request that lacks a field. */
const wantsOtherName = new Set([400, 422])

interface Asked {
  readonly question: string
  readonly texts: readonly string[]
  readonly textsName: TextsName
  readonly signal: AbortSignal
}

interface Answered {
  readonly ok: boolean
  readonly status: number
  readonly text: string
}

async function post(
  { model, apiKey, fetch: send = fetch }: EndpointRerankerOptions,
  { name, url }: { readonly name: string; readonly url: string },
  { question, texts, textsName, signal }: Asked,
): Promise<Answered> {
  try {
    const response = await send(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({ ...(model === undefined ? {} : { model }), query: question, [textsName]: texts }),
      signal,
      // A redirect could send the key to another server.
      redirect: 'error',
    })
    return { ok: response.ok, status: response.status, text: await response.text() }
  } catch (error) {
    throw new RerankerFailedError(name, signal.aborted ? 'it took too long.' : 'it cannot be reached.', {
      cause: error,
    })
  }
}

function refusal(status: number): string {
  const hint =
    status === 401 || status === 403 ? ' Check the key.' : status === 404 ? ' Check the address and the model.' : ''
  return `it answered ${status}.${hint}`
}
