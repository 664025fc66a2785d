import { firstMigration } from './0001-first.ts'
import { claimScope } from './0002-claim-scope.ts'
import { claimAhead } from './0003-claim-ahead.ts'
import { segments } from './0004-segments.ts'
import { vectorsWait } from './0005-vectors-wait.ts'
import { freed } from './0006-freed.ts'
import { childrenInOrder } from './0007-children-in-order.ts'
import { followedHeads } from './0008-followed-heads.ts'
import { claimFairly } from './0009-claim-fairly.ts'
import { turns } from './0010-turns.ts'

/** Forward only, each in the transaction that records it. Never edited once released; the next one changes things. */
export const migrations: readonly { readonly name: string; readonly sql: (schema: string) => string }[] = [
  { name: 'first', sql: firstMigration },
  { name: 'claim-scope', sql: claimScope },
  { name: 'claim-ahead', sql: claimAhead },
  { name: 'segments', sql: segments },
  { name: 'vectors-wait', sql: vectorsWait },
  { name: 'freed', sql: freed },
  { name: 'children-in-order', sql: childrenInOrder },
  { name: 'followed-heads', sql: followedHeads },
  { name: 'claim-fairly', sql: claimFairly },
  { name: 'turns', sql: turns },
]
