/** What some models want a question, and what is searched, to begin with. Without it they find clearly less. */
import { contentHash } from '@agentm/storage-seam'

/** What stands in front of a text, by what the text is for. */
export interface Prefixes {
  readonly question: string
  readonly document: string
}

const noPrefixes: Prefixes = { question: '', document: '' }

const represent = { question: 'Represent this sentence for searching relevant passages: ', document: '' }
const instruct = {
  question: 'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ',
  document: '',
}

/** As the model's own page says. The first match counts, so a special version stands above the family. */
const known: readonly (readonly [RegExp, Prefixes])[] = [
  [/nomic-embed/, { question: 'search_query: ', document: 'search_document: ' }],
  [/e5-mistral|e5-.*-instruct|gte-qwen\d.*-instruct|qwen3-embedding/, instruct],
  [/(?:^|[/_-])e5(?:[-_]|$)/, { question: 'query: ', document: 'passage: ' }],
  [/bge-(?:small|base|large)-zh/, { question: '为这个句子生成表示以用于检索相关文章：', document: '' }],
  [/bge-(?:small|base|large)|mxbai-embed-large/, represent],
  [/arctic-embed(?:2|-[ml]-v2)/, { question: 'query: ', document: '' }],
  [/arctic-embed/, represent],
  [/embedding-?gemma/, { question: 'task: search result | query: ', document: 'title: none | text: ' }],
]

/** The prefixes of a model by its name, such as `nomic-embed-text:v1.5` or `intfloat/multilingual-e5-base`. */
export function prefixesOf(model: string): Prefixes {
  const name = model.toLowerCase()
  return known.find(([pattern]) => pattern.test(name))?.[1] ?? noPrefixes
}

/** The name of an embedder with prefixes. Vectors of texts with other prefixes must not be compared with its own. */
export function prefixedName(name: string, { question, document }: Prefixes): string {
  if (question === '' && document === '') return name
  return `${name}/${contentHash(`${question}\n${document}`).slice(0, 8)}`
}
