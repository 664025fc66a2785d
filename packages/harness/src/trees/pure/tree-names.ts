/** The names of trees and branches: short words that every file system and git accept, different for different ids. */
import { deriveId } from '@agentm/nodes'

/** The word that stands for a plan in paths and branches. */
export function planWord(planId: string): string {
  const id = planId.slice(planId.lastIndexOf(':') + 1)
  if (/^[0-9a-f-]{32,}$/.test(id)) return id.replaceAll('-', '').slice(0, 12)
  return /^[a-z0-9][a-z0-9-]{0,39}$/.test(id) ? id : `${slug(id)}-${digest(id)}`
}

/** The word that stands for the tree of a step: its own, or one that it shares by name. */
export function treeWord(step: { readonly id: string; readonly title: string }, shared: string | undefined): string {
  return shared === undefined ? `${slug(step.title)}-${digest(step.id)}` : `shared-${slug(shared)}-${digest(shared)}`
}

/** The tree in which the results of all steps are together. */
export const mergedWord = 'merged'

function slug(text: string): string {
  const words = text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return words.replace(/^-+/, '').slice(0, 30).replace(/-+$/, '') || 'tree'
}

function digest(text: string): string {
  return deriveId('tree', text).slice(-8)
}
