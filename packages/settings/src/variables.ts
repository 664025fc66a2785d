/** Every variable of the environment that agentm reads, besides those that a setting names. */

export interface Variable {
  readonly help: string
  /** Never printed. */
  readonly isSecret?: true
}

/** Every environment variable that agentm reads, besides those that belong to a setting. */
export const variables = {
  AGENTM_HOME: { help: 'Where agentm keeps its own files (default: ~/.agentm).' },
  AGENTM_INSTALL_PREFIX: {
    help: 'The directory of the install config and of packages installed for agentm (default: ~/.claude).',
  },
  AGENTM_NODES_URL: {
    help: 'Wins over nodes.url. A PostgreSQL URL must not hold a password: set PGPASSWORD or PGPASSFILE.',
    isSecret: true,
  },
  AGENTM_BACKEND_PLUGINS: {
    help: 'Packages that bring backends, separated by colons or commas; asked before storage.plugins.',
  },
  MEMORY_VAULT_PATH: { help: 'Wins over the vault path of the config.' },
  AGENTM_MODEL_KEY: { help: 'The key of the model, unless models.keyVariable names another variable.', isSecret: true },
  AGENTM_EMBEDDER_KEY: { help: 'The key of the embedder.', isSecret: true },
  AGENTM_RERANKER_KEY: { help: 'The key of the reranker.', isSecret: true },
  AGENTM_MCP_TOKEN: { help: 'The token that agentm serve asks of its clients.', isSecret: true },
  AGENTM_MCP_PORT: { help: 'The port of agentm serve.' },
  HARNESS_AUTO_SAVE_MODE: { help: 'What offer-save does: ask, silent or off (default: ask).' },
  HARNESS_AUTO_SAVE_CONFIDENCE_THRESHOLD: {
    help: 'The least confidence at which offer-save saves without asking (default: 0.8).',
  },
  XDG_CACHE_HOME: { help: 'Where locks and caches live (default: ~/.cache).' },
  NO_COLOR: { help: 'Set to anything: no colours on a terminal.' },
} as const satisfies Readonly<Record<string, Variable>>
