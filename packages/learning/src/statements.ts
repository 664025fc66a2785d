/** Statements compared by what they say: pure functions, and nothing that reads a log. */
export { isAddressedToReader } from './statements/pure/addressed-to-reader.ts'
export { type Difference, statementDifference } from './statements/pure/statement-difference.ts'
