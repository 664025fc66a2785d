import type { PlansReader } from '@agentm/workspace/reader'
import type { AskList, PlanList } from '../contract/plans.ts'
import { NothingHereError, type Room } from '../room.ts'
import type { ViewSource } from '../view-source.ts'
import { comparePage } from './compare-page.ts'
import { forkPage, wholeForkPage } from './fork-page.ts'
import { listAsks, listPlans } from './list-plans.ts'
import { makePlanChange } from './make-plan-change.ts'
import { planStanding } from './plan-standing.ts'
import { PlanViews } from './plan-views.ts'
import { parsePlanChange } from './pure/parse-plan-change.ts'
import { stepPage } from './step-page.ts'

export function plansRoom(source: ViewSource): Room {
  const views = new PlanViews()
  return {
    name: 'plans',
    reads: {
      '/api/plans': async ({ query }) => {
        const plans = await source.plans()
        return plans === undefined ? noPlans() : listPlans(plans, query.get('cursor') ?? undefined)
      },
      '/api/asks': async () => {
        const plans = await source.plans()
        return plans === undefined ? noAsks : listAsks(plans)
      },
      '/api/plans/:id': async ({ id, query }) => {
        const after = Number(query.get('after') ?? 0)
        return views.page(await needed(source), id, Number.isSafeInteger(after) ? after : 0)
      },
      '/api/plans/:id/standing': async ({ id }) => planStanding(await needed(source), id),
      '/api/plans/:id/compare': async ({ id, query }) => {
        const asked = { a: id, b: query.get('with') ?? id, all: query.get('show') === 'all' }
        return comparePage(await needed(source), asked)
      },
      '/api/plans/:id/fork': async ({ id }) => wholeForkPage(await needed(source), id),
      '/api/steps/:id/fork': async ({ id }) => forkPage(await needed(source), id),
      '/api/steps/:id': async ({ id }) => stepPage(await needed(source), id),
    },
    change(sent) {
      const wanted = parsePlanChange(sent)
      return wanted && source.plansToChange().then((plans) => makePlanChange(plans, wanted))
    },
  }
}

const noAsks: AskList = { asks: [] }

function noPlans(): PlanList {
  return { plans: [], hasLog: false, now: Date.now() }
}

async function needed(source: ViewSource): Promise<PlansReader> {
  const plans = await source.plans()
  if (plans === undefined) throw new NothingHereError('plans')
  return plans
}
