/** A new agent from a role, for a step. */
import type { NewAgent } from './agent-drafts.ts'
import { capabilityText } from './capability.ts'
import type { Grants } from './granted-tools.ts'
import type { SeedRole } from './seed-roles.ts'

const longestTitle = 48

export function composeAgent(role: SeedRole, { tools, dropped }: Grants, title: string): NewAgent {
  return {
    name: `${role.name}: ${Array.from(title.trim().replaceAll(/\s+/gu, ' ')).slice(0, longestTitle).join('')}`,
    role: role.slug,
    description: role.description,
    domains: [...role.domains],
    tools: [...tools],
    prompt: role.prompt,
    ...(dropped.length > 0 && { dropped: [...dropped] }),
  }
}

export function capabilityOf(agent: Pick<NewAgent, 'role' | 'description' | 'domains' | 'tools'>): string {
  return capabilityText(agent)
}
