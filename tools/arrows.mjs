// @ts-check
/**
 * Which package may import which, once, for everything that needs to know: the `import-direction` gate, ESLint's Nx rule
 * and the table in docs/explanation/architecture.md. A target is a package (`nodes`), one entry of it (`routing/reader`), its types
 * only (`type:vault-lock`), or a load by name when the user's configuration asks for it (`lazy:nodes-postgres`).
 * @type {Readonly<Record<string, { readonly does: string, readonly may: readonly string[] }>>}
 */
export const arrows = {
  'storage-seam': {
    does: 'locator, seven verbs, capabilities, registry, plugin type, tiers, content hash, errors',
    may: [],
  },
  'vault-lock': {
    does: 'the one way to write a file that others also write: mutex, atomic replace, locked update; home of `FilePath`',
    may: ['storage-seam'],
  },
  'backend-device-local': {
    does: 'plain files under one root on this device',
    may: ['storage-seam', 'vault-lock'],
  },
  'backend-vault': {
    does: 'files another program replicates; every write locked and hash-checked; the personal write',
    may: ['storage-seam', 'vault-lock'],
  },
  settings: {
    does: 'one typed table of every configuration key: parser, types, validation, documentation',
    may: [],
  },
  selection: {
    does: 'install config → registered, capable backend, or a refusal; preview and doctor share the code',
    may: ['storage-seam', 'vault-lock', 'settings'],
  },
  routing: {
    does: 'this directory → project, backend, home of its plan and progress files; repo registry',
    may: ['storage-seam', 'vault-lock', 'settings', 'selection'],
  },
  nodes: {
    does: 'append-only versions of typed nodes: contracts, concepts, guards, the recall formula, the vector scan; no I/O',
    may: [],
  },
  'sqlite-node20': {
    does: 'SQLite for a Node that has none of its own; newer versions of Node skip it at install',
    may: [],
  },
  'nodes-sqlite': {
    does: 'log, work and recall on one embedded file, for many processes',
    may: ['nodes', 'sqlite-node20'],
  },
  'nodes-postgres': {
    does: 'log, work and recall on PostgreSQL, for many machines',
    may: ['nodes'],
  },
  memory: {
    does: 'notes, and what an agent is reminded of: save, recall, forget, reindex; the inbox; the ranking by itself',
    may: ['storage-seam', 'nodes'],
  },
  transcripts: {
    does: 'session files of coding agents → one typed stream',
    may: [],
  },
  learning: {
    does: 'sessions and episodes → beliefs and proposals: capture, consolidation, reinforcement, decay; beliefs published as notes',
    may: ['storage-seam', 'nodes', 'memory', 'transcripts'],
  },
  'embedder-static': {
    does: 'the default embedder: a small static word table plus hashed n-grams; offline, no native code',
    may: [],
  },
  'agent-loop': {
    does: 'a model with tools: errors, stops, loop detection, budget, context, effects; models; tools; knows no plan',
    may: ['nodes', 'type:memory', 'memory/shown'],
  },
  harness: {
    does: 'plans, steps, workers, budgets, trace, replay, eval',
    may: ['nodes', 'agent-loop', 'memory'],
  },
  'coding-agents': {
    does: 'Claude Code, Codex, Gemini CLI and opencode as kinds of steps',
    may: ['nodes', 'agent-loop', 'harness'],
  },
  planner: {
    does: 'goal → plan; roster, progress',
    may: ['nodes', 'agent-loop', 'harness', 'memory'],
  },
  telemetry: {
    does: 'OpenTelemetry over the ports of the others: spans and metrics of plans, models, tools and memory; Prometheus',
    may: ['nodes', 'agent-loop', 'harness', 'type:memory'],
  },
  workspace: {
    does: 'config → backend → project → log → memory, opened together; `workspace/reader` cannot write',
    may: [
      'storage-seam',
      'vault-lock',
      'backend-device-local',
      'settings',
      'selection',
      'routing',
      'nodes',
      'nodes-sqlite',
      'lazy:nodes-postgres',
      'memory',
      'learning',
      'transcripts',
      'embedder-static',
      'agent-loop',
      'harness',
      'coding-agents',
      'planner',
    ],
  },
  'process-seam': {
    does: 'what another process may ask: recallHere, offerSaveHere, statePath; reads only, loads lazily',
    may: ['routing/reader', 'workspace/reader', 'type:vault-lock'],
  },
  'mcp-server': {
    does: 'the same verbs as MCP tools, over an opened workspace',
    may: ['workspace', 'process-seam', 'memory/shown', 'type:memory', 'type:harness'],
  },
  viewer: {
    does: 'the local page: plans and their steps, notes, beliefs, agent sessions and health, live',
    may: ['workspace', 'nodes'],
  },
  cli: {
    does: 'the `agentm` command',
    may: [
      'storage-seam',
      'vault-lock',
      'backend-device-local',
      'backend-vault',
      'settings',
      'selection',
      'routing',
      'nodes',
      'nodes-sqlite',
      'nodes-postgres',
      'memory',
      'learning',
      'transcripts',
      'embedder-static',
      'agent-loop',
      'harness',
      'coding-agents',
      'planner',
      'workspace',
      'process-seam',
      'mcp-server',
      'viewer',
      'telemetry',
    ],
  },
  conformance: {
    does: 'contracts as data, for backends (root entry) and for logs (subpath); drivers; in-memory references',
    may: ['storage-seam', 'nodes'],
  },
  gates: {
    does: 'what must be true of the source itself, here and in a plugin author’s repository',
    may: [],
  },
}

/** The tag a package carries for the Nx rule. @param {string} name */
export const layerOf = (name) => `layer:${name}`

/** The table with every modifier stripped: package name to the package names it may reach at all. */
export const mayImport = Object.fromEntries(
  Object.entries(arrows).map(([name, { may }]) => [name, [...new Set(may.map(packageOf))]]),
)

/** @param {string} target */
function packageOf(target) {
  const [name = target] = target.replace(/^(type|lazy):/, '').split('/')
  return name
}
