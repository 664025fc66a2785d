/** Every contract of a node store. */
import { appendContracts } from './contracts/append-contracts.ts'
import { flowContracts } from './contracts/flow-contracts.ts'
import { freedContracts } from './contracts/freed-contracts.ts'
import { headRecallContracts } from './contracts/head-recall-contracts.ts'
import { processContracts } from './contracts/process-contracts.ts'
import { pruneContracts } from './contracts/prune-contracts.ts'
import { readContracts } from './contracts/read-contracts.ts'
import { recallContracts } from './contracts/recall-contracts.ts'
import { workContracts } from './contracts/work-contracts.ts'
import type { LogContract } from './log-contract.ts'

/** Every contract of a node store. */
export const logContracts: readonly LogContract[] = [
  ...appendContracts,
  ...freedContracts,
  ...readContracts,
  ...pruneContracts,
  ...workContracts,
  ...flowContracts,
  ...recallContracts,
  ...headRecallContracts,
  ...processContracts,
]
