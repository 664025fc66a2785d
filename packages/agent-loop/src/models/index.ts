export {
  type AiSdkCall,
  type AiSdkLanguageModel,
  aiSdkModel,
  type AiSdkModelOptions,
  type AiSdkPart,
  type AiSdkUsage,
} from './ai-sdk-model.ts'
export { askStructured, type Structured, type StructuredQuestion } from './ask-structured.ts'
export { type Breaker, type BreakerOptions, createBreaker } from './breaker.ts'
export { endpointModel, type EndpointModelOptions, ModelConfigError } from './endpoint-model.ts'
export { ModelError, type ModelErrorFacts } from './model-error.ts'
export { costMicros, type ModelPrice } from './pure/model-price.ts'
export { type PatienceOptions, withPatience } from './with-patience.ts'
export { type NamedModel, withFallbacks } from './with-fallbacks.ts'
