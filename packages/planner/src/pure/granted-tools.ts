/**
 * Turns the domains and grants of a role into real tools. A grant means the tools that each of the role's domains needs, so the
 * same grant gives a researcher files to read and a builder a shell.
 */
export interface ToolFacts {
  readonly name: string
  /** What repeating it does; anything but `pure` may change something. */
  readonly nature: 'pure' | 'idempotent' | 'effectful'
}

export interface Grants {
  readonly tools: readonly string[]
  readonly dropped: readonly DroppedTool[]
}

/** A tool that the role asks for but the agent did not get. */
export interface DroppedTool {
  readonly tool: string
  readonly reason: string
}

const byDomain: Readonly<Record<string, readonly string[]>> = {
  'research-methods': ['memory_recall', 'memory_save', 'http'],
  workbench: ['files_list', 'files_glob', 'files_search', 'files_read', 'memory_recall'],
  'software-engineering': [],
  'computer-use': ['http'],
}

const byGrant: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  workbenchHost: {
    'research-methods': ['files_list', 'files_glob', 'files_search', 'files_read'],
    workbench: [],
    'software-engineering': ['files_write', 'files_edit', 'shell'],
    'computer-use': ['shell'],
  },
  computer_use_headless: { 'computer-use': ['http_send'] },
}

const builtIn = new Set([byDomain, ...Object.values(byGrant)].flatMap((table) => Object.values(table).flat()))

/**
 * `available` are the tools of this installation. Tools that no role names, such as those of an MCP server, go to every role if
 * they only read, otherwise only to roles that act on systems. Tools for programs that run on go with the shell.
 */
export function grantedTools(
  { domains, tools }: { readonly domains: readonly string[]; readonly tools: readonly string[] },
  available: readonly ToolFacts[],
): Grants {
  const { wanted, dropped } = wantedTools(domains, tools)
  const offered = new Map(available.map((tool) => [tool.name, tool]))
  const absent = wanted
    .filter((tool) => !offered.has(tool))
    .map((tool) => ({ tool, reason: 'this installation does not offer it' }))
  const others = available.filter(({ name, nature }) => {
    if (name.startsWith('shell_')) return wanted.includes('shell')
    return !builtIn.has(name) && (nature === 'pure' || domains.includes('computer-use'))
  })
  const kept = [...wanted.filter((tool) => offered.has(tool)), ...others.map(({ name }) => name)]
  return { tools: [...new Set(kept)].toSorted(), dropped: [...dropped, ...absent] }
}

/** An unknown grant may be the name of a real tool. Whether that tool is available is checked afterwards. */
export function wantedTools(domains: readonly string[], grants: readonly string[]) {
  const wanted = new Set<string>()
  const dropped: DroppedTool[] = []
  for (const domain of domains)
    for (const tool of Object.hasOwn(byDomain, domain) ? (byDomain[domain] ?? []) : []) wanted.add(tool)
  for (const grant of grants) {
    const table = Object.hasOwn(byGrant, grant) ? byGrant[grant] : undefined
    if (table === undefined) {
      wanted.add(grant)
      continue
    }
    const opened = domains.flatMap((domain) => (Object.hasOwn(table, domain) ? (table[domain] ?? []) : []))
    if (opened.length === 0 && !domains.some((domain) => Object.hasOwn(table, domain)))
      dropped.push({ tool: grant, reason: `it opens nothing for ${domains.join(', ') || 'no domain'}` })
    for (const tool of opened) wanted.add(tool)
  }
  return { wanted: [...wanted], dropped }
}
