/** Every contract of a backend, in a sensible order to fix them in. */
import type { Contract } from './contract.ts'
import { absenceContracts } from './contracts/absence-contracts.ts'
import { capabilityContracts } from './contracts/capability-contracts.ts'
import { conditionContracts } from './contracts/condition-contracts.ts'
import { confinementContracts } from './contracts/confinement-contracts.ts'
import { derivedContracts } from './contracts/derived-contracts.ts'
import { directoryContracts } from './contracts/directory-contracts.ts'
import { locatorContracts } from './contracts/locator-contracts.ts'
import { personalContracts } from './contracts/personal-contracts.ts'
import { processContracts } from './contracts/process-contracts.ts'
import { textContracts } from './contracts/text-contracts.ts'

/** Every contract of a backend, in a sensible order to fix them in. */
export const backendContracts: readonly Contract[] = [
  ...locatorContracts,
  ...textContracts,
  ...absenceContracts,
  ...directoryContracts,
  ...capabilityContracts,
  ...conditionContracts,
  ...personalContracts,
  ...derivedContracts,
  ...confinementContracts,
  ...processContracts,
]
