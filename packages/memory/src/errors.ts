/** The refusals of memory, class by class, for whoever reads their fields. Programs compare `code`. */
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
