/** The error classes of memory, for programs that read their fields. Programs should compare `code`. */
export {
  EmbedderFailedError,
  IdempotencyConflictError,
  InvalidNoteError,
  NoteAbsentError,
  NoteNotActiveError,
  NotForgettableError,
  NotRestorableError,
  PersonNeededError,
  ProjectRefusedError,
  RerankerFailedError,
  SecretFoundError,
  SlugTakenError,
  SourceTierError,
  StoreNotMarkedError,
  TierUnavailableError,
} from './memory-errors.ts'
