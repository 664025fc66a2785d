/** The refusals of memory as classes, for programs that read their fields. Programs compare `code`. */
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
  SecretFoundError,
  SlugTakenError,
  SourceTierError,
  StoreNotMarkedError,
  TierUnavailableError,
} from './memory-errors.ts'
