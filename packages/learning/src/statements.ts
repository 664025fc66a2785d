/** Compares the meaning of statements: pure functions that read no log. */
export { isAddressedToReader } from './statements/pure/addressed-to-reader.ts'
export { type Difference, statementDifference } from './statements/pure/statement-difference.ts'
