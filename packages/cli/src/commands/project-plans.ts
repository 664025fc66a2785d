import { findActiveBinding, listPlanFiles, queueStatus } from '@agentm/routing'
import type { Command } from '../command.ts'
import { indented } from '../report-error.ts'

export const projectPlans: Command = {
  summary: 'list the plan files of this project, their status and last progress',
  details:
    'Plan files are what PLAN.md and its named twins hold. A plan that workers run is another thing: agentm status lists those.',
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
