/** All gates, in the order they are reported. */
import type { Gate } from './gate.ts'
import { importDirection } from './import-direction/import-direction.ts'
import { noPathLeak } from './no-path-leak/storage-seam-no-path-leak.ts'
import { oneName } from './one-name/one-name.ts'
import { oneWriter } from './one-writer/one-writer.ts'
import { pureFolder } from './pure-folder/pure-folder.ts'
import { vaultLockParity } from './vault-lock-parity/vault-lock-parity.ts'

/** All gates, in the order in which they are reported. */
export const gates: readonly Gate[] = [noPathLeak, importDirection, pureFolder, oneWriter, oneName, vaultLockParity]
