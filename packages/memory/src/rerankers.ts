/** Rerankers: behind a `/rerank` endpoint, a language model of the AI SDK, and a cross-encoder on this machine. */
export { crossEncoder, type CrossEncoderOptions, type TransformersLike } from './rerankers/cross-encoder-reranker.ts'
export { endpointReranker, type EndpointRerankerOptions } from './rerankers/endpoint-reranker.ts'
export { type LanguageModelLike, modelReranker } from './rerankers/model-reranker.ts'
export type { Reranker, RerankSettings } from './rerankers/reranker.ts'
