/** The provider of a model by the names of the semantic conventions, as far as its address or its package tells. */

/** How a model was configured. */
export interface ModelFacts {
  readonly name: string
  /** The address of its endpoint. */
  readonly url?: string | undefined
  /** The package of the AI SDK it comes from. */
  readonly package?: string | undefined
}

const hosts: readonly (readonly [RegExp, string])[] = [
  [/(^|\.)openai\.azure\.com$/, 'azure.ai.openai'],
  [/(^|\.)inference\.ai\.azure\.com$/, 'azure.ai.inference'],
  [/(^|\.)openai\.com$/, 'openai'],
  [/(^|\.)anthropic\.com$/, 'anthropic'],
  [/^generativelanguage\.googleapis\.com$/, 'gcp.gemini'],
  [/aiplatform\.googleapis\.com$/, 'gcp.vertex_ai'],
  [/^bedrock.*\.amazonaws\.com$/, 'aws.bedrock'],
  [/(^|\.)mistral\.ai$/, 'mistral_ai'],
  [/(^|\.)groq\.com$/, 'groq'],
  [/(^|\.)deepseek\.com$/, 'deepseek'],
  [/(^|\.)cohere\.(com|ai)$/, 'cohere'],
  [/(^|\.)perplexity\.ai$/, 'perplexity'],
  [/(^|\.)x\.ai$/, 'x_ai'],
]

const packages: Readonly<Record<string, string>> = {
  '@ai-sdk/openai': 'openai',
  '@ai-sdk/anthropic': 'anthropic',
  '@ai-sdk/google': 'gcp.gemini',
  '@ai-sdk/google-vertex': 'gcp.vertex_ai',
  '@ai-sdk/amazon-bedrock': 'aws.bedrock',
  '@ai-sdk/azure': 'azure.ai.openai',
  '@ai-sdk/mistral': 'mistral_ai',
  '@ai-sdk/groq': 'groq',
  '@ai-sdk/deepseek': 'deepseek',
  '@ai-sdk/cohere': 'cohere',
  '@ai-sdk/perplexity': 'perplexity',
  '@ai-sdk/xai': 'x_ai',
}

/** An unknown endpoint speaks the protocol of OpenAI, so by the conventions its provider is `openai`; `server.address` tells more. */
export function providerOf({ url, package: from }: Omit<ModelFacts, 'name'>): string {
  if (from !== undefined) return packages[from] ?? '_OTHER'
  const host = serverOf(url)?.address ?? ''
  return hosts.find(([pattern]) => pattern.test(host))?.[1] ?? 'openai'
}

/**
 * The provider of the model that a step of this kind talks to; `undefined` for kinds without a model. Our own agents use one of the
 * configured models.
 */
export function agentProvider(kind: string, configured: ReadonlySet<string>): string | undefined {
  if (kind !== 'agent') return agentProviders[kind]
  const [only] = configured
  return configured.size === 1 ? only : '_OTHER'
}

const agentProviders: Readonly<Record<string, string>> = {
  'claude-code': 'anthropic',
  codex: 'openai',
  gemini: 'gcp.gemini',
  opencode: '_OTHER',
}

export function serverOf(url: string | undefined): { readonly address: string; readonly port: number } | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined
  const { hostname, port, protocol } = new URL(url)
  return { address: hostname, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) }
}
