/** Embedders: over an endpoint, over an AI SDK model, and with a cache. */
export { cachedEmbedder, type VectorCache } from './embedders/cached-embedder.ts'
export { type EndpointOptions, openEndpointEmbedder } from './embedders/endpoint-embedder.ts'
export { energeticEmbedder, type EnergeticModel } from './embedders/energetic-embedder.ts'
export { type EmbeddingModelLike, modelEmbedder, type ModelEmbedderOptions } from './embedders/model-embedder.ts'
export { unmeasuredWeight } from './embedders/memory-embedder.ts'
export { prefixedEmbedder } from './embedders/prefixed-embedder.ts'
export { type Prefixes, prefixesOf } from './embedders/pure/prefixes.ts'
