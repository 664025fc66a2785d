/**
 * Every key of the install config, once: what it may say, what is in force without it, and what it is for. The parser, the
 * TypeScript types, `config set`, shell completion and docs/reference/configuration.md all come from this table.
 */
import { codingAgentSetting } from './coding-agent-setting.ts'
import { mcpServerSetting } from './mcp-server-setting.ts'
import { modelChoice, modelChoices } from './model-choice.ts'
import { modelInputs } from './model-inputs.ts'
import { modelPrices } from './model-prices.ts'
import {
  exactText,
  flag,
  name,
  numberIn,
  object,
  oneOf,
  packageNames,
  type Parser,
  someOf,
  stateMode,
  text,
  texts,
  timeOfDay,
  timeZone,
  webAddress,
  wholeNumberFrom,
} from './parser.ts'

/** One key of the install config: how it is parsed, its default, and what it is for. */
export interface Setting<T> extends Parser<T> {
  /** For people, in one or two sentences. */
  readonly help: string
  /** The default: the value itself, or a sentence if it depends on something. */
  readonly default?: T | { readonly says: string }
  /** The environment variable that overrides the file. */
  readonly variable?: string
  /** True for directories, which are stored with links resolved and have to be there when they are set. */
  readonly isDirectory?: true
  /** Keys of older programs with the same meaning. They are written, too, so that those programs see the value. */
  readonly alsoAs?: readonly string[]
}

const anything = object<Readonly<Record<string, unknown>>>('an object of JSON')
const share = numberIn(0, 1)

/**
 * Every key of the install config. The parser, `config set`, shell completion and the configuration page are made from
 * this table.
 */
export const settings = {
  owner: {
    ...text,
    default: { says: 'the user of the operating system' },
    help: 'Whose plans, notes and beliefs these are.',
  },
  state_mode: {
    ...stateMode,
    default: { says: 'what the project says, else backend' },
    help: 'Where PLAN.md and progress.md are stored: in the checkout (local), or in the store (backend).',
  },
  'storage.backend': {
    ...name('device-local'),
    default: { says: 'vault where a vault path is set, else device-local' },
    help: 'The backend that stores notes: device-local, vault, or one of a plugin.',
  },
  'storage.plugins': {
    ...packageNames,
    default: [],
    variable: 'AGENTM_BACKEND_PLUGINS',
    help: 'Installed packages that provide backends.',
  },
  'plugins.device-local.root': {
    ...text,
    default: { says: 'memory/ in AGENTM_HOME' },
    help: 'The directory of the device-local store.',
  },
  'plugins.obsidian-vault.vault_path': {
    ...text,
    isDirectory: true,
    alsoAs: ['vault_path'],
    variable: 'MEMORY_VAULT_PATH',
    help: 'The vault: a directory that another program replicates, such as an Obsidian vault on a synced drive.',
  },
  'plugins.obsidian-vault.memory_root': {
    ...text,
    default: { says: 'the vault itself' },
    help: 'The directory inside the vault that memory uses.',
  },
  'plugins.obsidian-vault.personal_root': {
    ...text,
    help: 'The directory around the store that only you may write to, and agents only with your permission.',
  },
  'nodes.url': {
    ...text,
    default: { says: 'log/agentm.db in AGENTM_HOME' },
    variable: 'AGENTM_NODES_URL',
    help: 'The log of plans, observations and beliefs: a file, postgres://… for many machines, or the URL of a log that a plugin opens. It must not hold a password: set PGPASSWORD or PGPASSFILE.',
  },
  'nodes.plugins': {
    ...packageNames,
    default: [],
    help: 'Installed packages that open logs.',
  },
  'models.url': { ...webAddress, help: 'An OpenAI-compatible endpoint, such as http://127.0.0.1:11434/v1.' },
  'models.model': { ...text, help: 'The name of the model.' },
  'models.package': {
    ...text,
    help: 'An installed provider package of the AI SDK, such as @ai-sdk/anthropic, instead of an endpoint.',
  },
  'models.settings': { ...anything, help: 'What the provider package is created with.' },
  'models.parameters': { ...anything, help: 'Sent along with every request, such as {"temperature": 0}.' },
  'models.keyVariable': {
    ...text,
    default: 'AGENTM_MODEL_KEY',
    help: 'The environment variable that contains the key.',
  },
  'models.contextTokens': { ...wholeNumberFrom(1), help: 'How much the model can read at once.' },
  'models.summaries': {
    ...oneOf('model', 'rules', 'none'),
    default: 'model',
    help: 'What takes the place of messages that no longer fit into models.contextTokens: a summary by the model, a list of what was done, or only their number.',
  },
  'models.inputs': {
    ...modelInputs,
    default: { says: 'nothing but text' },
    help: 'What models can read besides text: pictures (PNG, JPEG, GIF, WebP) and PDFs. One list for all, or one for each model. Agents are then shown those that they read.',
  },
  'models.imageTokens': {
    ...wholeNumberFrom(1),
    default: 5000,
    help: 'The most tokens that the model counts for one picture. A budget reserves this amount, and 3,000 more for each page of a PDF.',
  },
  'models.outputTokens': { ...wholeNumberFrom(1), help: 'How much one reply may hold.' },
  'models.prices': {
    ...modelPrices,
    help: 'Dollars per million tokens. A cost limit needs it. cachedInput and cacheWrite are for input that the provider reads from its cache and writes into it.',
  },
  'models.promptCache': {
    ...oneOf('off', 'marks', 'key'),
    default: 'marks',
    help: 'How the provider learns which part of a conversation stays the same: by marks that models of Anthropic need, also by a prompt_cache_key for models.url, or not at all.',
  },
  'models.roles.planner': {
    ...modelChoice,
    default: { says: 'models.model' },
    help: 'The model that turns goals into plans. What it does not name, such as the url, is as for models.model.',
  },
  'models.roles.worker': {
    ...modelChoice,
    default: { says: 'models.model' },
    help: 'The model that agents do their steps with.',
  },
  'models.roles.judge': {
    ...modelChoice,
    default: { says: 'models.model' },
    help: 'The model that judges whether a step is done.',
  },
  'models.roles.learning': {
    ...modelChoice,
    default: { says: 'models.model' },
    help: 'The model that learns from sessions and turns episodes into beliefs.',
  },
  'models.fallbacks': {
    ...modelChoices,
    default: [],
    help: 'Models to ask, in this order, if the model of a role cannot answer: its provider is out, or the conversation is too long for it.',
  },
  'embedder.provider': {
    ...oneOf('static', 'none', 'openai', 'package'),
    default: 'static',
    help: 'What turns text into vectors: the built-in word table, nothing, an OpenAI-compatible endpoint, or an installed package.',
  },
  'embedder.url': { ...webAddress, help: 'The endpoint of embedder.provider openai.' },
  'embedder.model': { ...text, help: 'The name of its model.' },
  'embedder.dimensions': { ...wholeNumberFrom(1), help: 'How many numbers one of its vectors has.' },
  'embedder.package': { ...text, help: 'The installed package that makes vectors, if embedder.provider is package.' },
  'embedder.queryPrefix': {
    ...exactText,
    default: { says: 'what the model is known to want, else nothing' },
    help: 'What stands in front of a question, such as "query: ". Texts with other prefixes get new vectors.',
  },
  'embedder.documentPrefix': {
    ...exactText,
    default: { says: 'what the model is known to want, else nothing' },
    help: 'What stands in front of each text of a note, such as "passage: ".',
  },
  'embedder.weight': {
    ...numberIn(0, 10),
    default: 0.35,
    help: 'How much meaning counts in the ranking beside 1 for words. agentm recall tune measures it. The built-in word table has its own.',
  },
  'embedder.near': {
    ...numberIn(-1, 1),
    default: { says: '0.75' },
    help: 'From which cosine a note may answer a question without any common word. agentm recall tune measures it. The built-in word table has its own.',
  },
  'reranker.provider': {
    ...oneOf('none', 'http', 'package', 'onnx'),
    default: 'none',
    help: 'What reads the first results again and puts them in order: nothing, a server with a /rerank endpoint, a language model of an installed provider package of the AI SDK, or a cross-encoder in a directory of this machine.',
  },
  'reranker.url': { ...webAddress, help: 'The address of reranker.provider http; /rerank is added.' },
  'reranker.model': { ...text, help: 'The name of the reranking model; of onnx, the directory that contains it.' },
  'reranker.package': {
    ...text,
    help: 'The provider package of the AI SDK, such as @ai-sdk/openai; of onnx, the package that runs the model (default: @huggingface/transformers).',
  },
  'reranker.first': {
    ...numberIn(2, 50),
    default: 20,
    help: 'How many of the first results are put in order.',
  },
  'reranker.deadlineMs': {
    ...wholeNumberFrom(1),
    default: 800,
    help: 'How long recall waits for the reranker, in milliseconds. After that it answers in its own order.',
  },
  'reranker.hooks': {
    ...flag,
    default: false,
    help: 'Whether hooks of agent sessions use the reranker, too. They have little time.',
  },
  'harness.owners': {
    ...texts({ mayBeEmpty: false }),
    default: { says: 'owner' },
    help: 'Whose steps workers of this user run.',
  },
  'harness.kinds': {
    ...texts({ mayBeEmpty: false }),
    default: ['agent', 'approval'],
    help: 'The kinds of steps that workers of this user run: agent, approval, command, http, module, claude-code, codex, gemini, opencode, or a kind of a plugin.',
  },
  'harness.plugins': {
    ...packageNames,
    default: [],
    help: 'Installed packages that provide step kinds. Only kinds in harness.kinds are run.',
  },
  'harness.modules': {
    ...texts({ mayBeEmpty: true }),
    default: [],
    help: 'Files on this machine that steps of kind module may run.',
  },
  'trees.link': {
    ...texts({ mayBeEmpty: true }),
    default: ['node_modules'],
    help: 'Ignored directories that trees of steps get as links to yours, where the package files are the same.',
  },
  'trees.maxSnapshotMb': {
    ...wholeNumberFrom(1),
    default: 500,
    help: 'The largest snapshot, in megabytes, of a folder that is no git repository.',
  },
  'mcp.plans': {
    ...oneOf('off', 'read', 'write'),
    default: 'off',
    help: 'What agents that use the MCP server may do with plans: nothing, look, or also start and change them. Steps run as harness.kinds and tools.* allow.',
  },
  'tools.files': {
    ...oneOf('off', 'read', 'write'),
    default: 'read',
    help: 'What agents may do with files of the working folder.',
  },
  'tools.memory': {
    ...oneOf('off', 'recall', 'propose', 'save'),
    default: 'propose',
    help: 'What agents may do with memory: nothing, recall, also propose notes that wait in the inbox for a person, or also save notes at once.',
  },
  'tools.shell.allow': {
    ...texts({ mayBeEmpty: true }),
    default: [],
    help: 'Programs that agents may run.',
  },
  'tools.shell.interpret': {
    ...flag,
    default: false,
    help: 'Whether agents may run any command line through a shell.',
  },
  'tools.shell.variables': {
    ...texts({ mayBeEmpty: true }),
    default: [],
    help: 'Environment variables that those programs can see.',
  },
  'tools.shell.timeoutMs': { ...wholeNumberFrom(1), help: 'After how many milliseconds a program is ended.' },
  'tools.sandbox': {
    ...oneOf('off', 'on', 'required'),
    default: 'off',
    help: 'Whether programs of steps run in a sandbox (bubblewrap): on uses it where it works, required refuses to run anything without it.',
  },
  'tools.sandboxNetwork': { ...flag, default: false, help: 'Whether programs in the sandbox reach the network.' },
  'tools.sandboxReads': {
    ...texts({ mayBeEmpty: true }),
    default: [],
    help: 'Places in the home directory that programs in the sandbox can read.',
  },
  'tools.http.hosts': {
    ...texts({ mayBeEmpty: true }),
    default: [],
    help: 'Hosts that agents may send requests to.',
  },
  'tools.http.privateHosts': {
    ...texts({ mayBeEmpty: true }),
    default: [],
    help: 'Hosts with private addresses, such as localhost, that agents may send requests to.',
  },
  'tools.approve': {
    ...texts({ mayBeEmpty: true }),
    default: [],
    help: 'Tools whose every call a person has to approve: shell, files_write, files_edit, http_send, memory_save, mcp, mcp_NAME.',
  },
  'capture.enabled': {
    ...flag,
    default: true,
    help: 'Whether hooks of coding agents capture their sessions. agentm capture sessions asks for nothing else.',
  },
  'capture.hosts': {
    ...someOf('claude-code', 'codex', 'gemini', 'opencode'),
    default: ['claude-code', 'codex', 'gemini', 'opencode'],
    help: 'The coding agents whose sessions are captured.',
  },
  'capture.plain': {
    ...text,
    help: 'A directory of session files in the plain format of @agentm/transcripts, for agents that are not in capture.hosts.',
  },
  'capture.exclude': {
    ...texts({ mayBeEmpty: true }),
    default: [],
    help: 'Directories whose sessions are private: they and everything below them are not captured. ~ is your home directory.',
  },
  'learning.sessions.tokensPerDay': {
    ...numberIn(0, 1_000_000_000),
    default: 0,
    help: 'The most tokens a day that a model may use to learn from agent sessions. With 0, no model is asked; only rules are used.',
  },
  'consolidation.at': {
    ...timeOfDay,
    default: '02:45',
    help: 'When a worker turns episodes into beliefs each day.',
  },
  'consolidation.timeZone': { ...timeZone, default: 'UTC', help: 'The time zone of consolidation.at.' },
  'consolidation.batchMax': {
    ...numberIn(1, 10_000),
    default: 200,
    help: 'The most episodes that one batch reads.',
  },
  'consolidation.batchesPerRun': {
    ...numberIn(1, 10_000),
    default: 10_000,
    help: 'The most batches that one run processes.',
  },
  'consolidation.questionsPerRun': {
    ...numberIn(1, 100_000),
    default: 200,
    help: 'The most questions that a run asks a model. The remaining episodes wait for the next run.',
  },
  'consolidation.clusterMax': {
    ...numberIn(1, 1000),
    default: 24,
    help: 'The most episodes that one belief is derived from.',
  },
  'consolidation.clusterThreshold': {
    ...share,
    default: { says: 'by the embedder' },
    help: 'The least cosine similarity at which two episodes belong together.',
  },
  'consolidation.dedupThreshold': {
    ...share,
    default: { says: 'by the embedder' },
    help: 'The least cosine similarity at which two statements are the same belief.',
  },
  'consolidation.wordClusterThreshold': {
    ...share,
    default: 0.5,
    help: 'The least share of common words at which two statements are the same belief, if there is no embedder.',
  },
  'consolidation.wordDedupThreshold': {
    ...share,
    default: 0.75,
    help: 'The least similarity of words at which two statements are the same belief, if there is no embedder.',
  },
  'consolidation.decayDays': {
    ...numberIn(0, 100_000),
    default: 30,
    help: 'After how many days a belief starts to fade.',
  },
  'consolidation.decayPerInterval': { ...share, default: 0.1, help: 'How much confidence it loses each time.' },
  'consolidation.pruneConfidence': { ...share, default: 0.15, help: 'Below which confidence it is forgotten.' },
  'consolidation.reinforceBump': {
    ...share,
    default: 0.15,
    help: 'How much confidence a belief gains when it is confirmed.',
  },
  'consolidation.leaseMs': {
    ...numberIn(1000, 3_600_000),
    default: 30_000,
    help: 'How long a run may be silent before another one takes over.',
  },
} as const satisfies Readonly<Record<string, Setting<unknown>>>

/** Families of keys whose last part a person or a plugin chooses. */
export const settingFamilies = {
  'tools.mcp.': {
    ...mcpServerSetting,
    member: 'NAME',
    isMember: (rest: string) => /^[A-Za-z0-9_-]{1,24}$/.test(rest),
    help: 'An MCP server whose tools agents may use. NAME has letters, digits, - and _.',
  },
  'codingAgents.': {
    ...codingAgentSetting,
    member: 'NAME',
    isMember: (rest: string) => /^(?:claude-code|codex|gemini|opencode)$/.test(rest),
    help: 'How a coding agent is started that carries out steps: its program, if it is not on the PATH, its first arguments, and the variables that it may see. NAME is claude-code, codex, gemini or opencode.',
  },
} as const

type Table = typeof settings
type ValueOf<S> = S extends Parser<infer T> ? T : never

/** The configured values, by key. An absent key is `undefined`; defaults are not filled in. */
export type Settings = { readonly [K in keyof Table]?: ValueOf<Table[K]> | undefined }

export type SettingKey = keyof Table
