/** Named plans: which pair of files a name means. Nothing is looked up. */
import { strip } from '@agentm/settings'

/** The two files of a plan: the plan and its progress. */
export interface PlanPair {
  /** Absent for the one plan without a name. */
  readonly slug?: string
  readonly plan: string
  readonly progress: string
}

export const singlePlan: PlanPair = Object.freeze({ plan: 'PLAN.md', progress: 'progress.md' })

/** `foo`, `PLAN-foo` and `PLAN-foo.md` are one plan; an empty name, `PLAN` and `PLAN.md` are the one without a name. */
export function planPair(raw: string): PlanPair {
  const slug = strip(raw)
    .replace(/\.md$/, '')
    .replace(/^PLAN-/, '')
  if (slug === '' || slug === 'PLAN') return singlePlan
  return { slug, plan: `PLAN-${slug}.md`, progress: `progress-${slug}.md` }
}

/** Why this plan name cannot be part of a file name; `undefined` where it can. */
export function planObjection({ slug }: Pick<PlanPair, 'slug'>): string | undefined {
  if (slug === undefined) return undefined
  if (slug === '.' || slug === '..') return 'it names a directory'
  if (/[/\\]/.test(slug)) return 'it holds a separator of directories'
  if (/\p{Cc}/u.test(slug)) return 'it holds a line break or another control character'
  return slug.isWellFormed() ? undefined : 'it holds half a surrogate pair'
}

/** The progress file beside a plan file; `undefined` for a file that is no plan. */
export function progressBeside(plan: string): string | undefined {
  if (plan === singlePlan.plan) return singlePlan.progress
  return /^PLAN-.*\.md$/s.test(plan) ? plan.replace(/^PLAN-/, 'progress-') : undefined
}
