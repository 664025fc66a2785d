/** The two files that a plan name stands for. No file is read. */
import { strip } from '@agentm/settings'

/** The two files of a plan: the plan and its progress. */
export interface PlanPair {
  /** Absent for the plan without a name. */
  readonly slug?: string
  readonly plan: string
  readonly progress: string
}

export const singlePlan: PlanPair = Object.freeze({ plan: 'PLAN.md', progress: 'progress.md' })

/** `foo`, `PLAN-foo` and `PLAN-foo.md` name the same plan. An empty name, `PLAN` and `PLAN.md` name the plan without a name. */
export function planPair(raw: string): PlanPair {
  const slug = strip(raw)
    .replace(/\.md$/, '')
    .replace(/^PLAN-/, '')
  if (slug === '' || slug === 'PLAN') return singlePlan
  return { slug, plan: `PLAN-${slug}.md`, progress: `progress-${slug}.md` }
}

/** Why this plan name cannot be part of a file name; `undefined` if it can. */
export function planObjection({ slug }: Pick<PlanPair, 'slug'>): string | undefined {
  if (slug === undefined) return undefined
  if (slug === '.' || slug === '..') return 'it names a directory'
  if (/[/\\]/.test(slug)) return 'it holds a separator of directories'
  if (/\p{Cc}/u.test(slug)) return 'it holds a line break or another control character'
  return slug.isWellFormed() ? undefined : 'it holds half a surrogate pair'
}

/** The progress file of a plan file; `undefined` if the file is no plan. */
export function progressBeside(plan: string): string | undefined {
  if (plan === singlePlan.plan) return singlePlan.progress
  return /^PLAN-.*\.md$/s.test(plan) ? plan.replace(/^PLAN-/, 'progress-') : undefined
}
