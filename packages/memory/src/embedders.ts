/** Makers of vectors: over an endpoint, over a model, with what they made kept. */
export { cachedEmbedder } from './embedders/cached-embedder.ts'
export { type EndpointOptions, openEndpointEmbedder } from './embedders/endpoint-embedder.ts'
export { energeticEmbedder, type EnergeticModel } from './embedders/energetic-embedder.ts'
export { type EmbeddingModelLike, modelEmbedder, type ModelEmbedderOptions } from './embedders/model-embedder.ts'
