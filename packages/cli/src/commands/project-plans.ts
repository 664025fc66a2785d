import { findActiveBinding, listPlanFiles, queueStatus } from '@agentm/routing'
import type { Command } from '../command.ts'
import { indented } from '../report-error.ts'

export const projectPlans: Command = {
  summary: 'list the plan files of this project, their status and last progress',
  details:
    'Plan files are PLAN.md and PLAN-NAME.md, which people and agents edit. They are not the plans that workers run; agentm status lists those.',
  async run(call) {
    const project = await (await call.reader()).project()
    const lines = await queueStatus(project, '_harness')
    const files = await listPlanFiles(project)
    const active = await findActiveBinding(project)
    const bound = active === undefined ? [] : ['', `This checkout is bound to ${JSON.stringify(active)}.`]
    return {
      text: [...lines.map(indented), ...bound].join('\n'),
      data: { plans: files, active, notices: project.notices },
      notices: project.notices,
    }
  },
}
