/** The abilities of an agent, as text to compare and as lists to complete. */

export interface Capability {
  readonly domains: readonly string[]
  readonly tools: readonly string[]
}

/** The text of an agent that steps are compared with. */
export function capabilityText(of: Capability & { readonly role: string; readonly description: string }): string {
  const domains = tidy(of.domains).toSorted()
  const tools = tidy(of.tools).toSorted()
  return [
    `${of.role}: ${of.description}`,
    ...(domains.length === 0 ? [] : [`domains: ${domains.join(', ')}`]),
    ...(tools.length === 0 ? [] : [`tools: ${tools.join(', ')}`]),
  ].join('\n')
}

/** The text of a step that agents are compared with. */
export function stepText({ title, goal }: { readonly title: string; readonly goal: string }): string {
  const [head, body] = [title.trim(), goal.trim()]
  return body === '' || body === head ? head : `${head}\n${body}`
}

/** The abilities of the role that the agent lacks, in the role's order. */
export function capabilityGap(role: Capability, agent: Capability): Capability {
  return { domains: lacking(role.domains, agent.domains), tools: lacking(role.tools, agent.tools) }
}

export function isEmptyGap({ domains, tools }: Capability): boolean {
  return domains.length === 0 && tools.length === 0
}

/** What the agent has, then what is added. */
export function withGap(agent: Capability, gap: Capability): Capability {
  return { domains: tidy([...agent.domains, ...gap.domains]), tools: tidy([...agent.tools, ...gap.tools]) }
}

function lacking(wanted: readonly string[], held: readonly string[]): readonly string[] {
  const has = new Set(tidy(held))
  return tidy(wanted).filter((name) => !has.has(name))
}

function tidy(names: readonly string[]): readonly string[] {
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))]
}
