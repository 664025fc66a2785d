/** What the server and the room of memory say to each other. A note is named by its key: its place in the store. */

export type Author = 'person' | 'agent'

/** A note in the list: everything but its text. */
export interface NoteRow {
  readonly key: string
  readonly title: string
  readonly kind: string
  readonly status: string
  readonly tags: readonly string[]
  /** `_global` for what belongs to no project. */
  readonly project: string
  /** 0 if unknown. */
  readonly createdAt: number
  readonly writtenBy?: Author
}

/** How many of the notes that match everything else have this. */
export interface Facet {
  readonly name: string
  readonly count: number
}

/** A piece of the list, newest first. */
export interface NoteList {
  /** False while nothing was ever kept here. */
  readonly hasMemory: boolean
  readonly notes: readonly NoteRow[]
  /** The place of the first of them in the whole list. */
  readonly from: number
  readonly total: number
  readonly projects: readonly Facet[]
  readonly kinds: readonly Facet[]
  readonly tags: readonly Facet[]
  /** The store is being looked at again; ask once more. */
  readonly isStale: boolean
  readonly now: number
}

/** One note. */
export interface NotePage extends NoteRow {
  /** Its text without the fields at its start. */
  readonly text: string
  /** The whole file. */
  readonly file: string
  /** Of the file, so that a change can say which text it is meant for. */
  readonly hash: string
  readonly alwaysLoad: boolean
  readonly isOwn: boolean
  /** Why it cannot be edited on the page; absent if it can. */
  readonly fixed?: string
  /** Newest first; the first is the note itself. */
  readonly versions: readonly NoteVersionRow[]
  /** Copies that a sync program made of it. */
  readonly copies: readonly string[]
  readonly now: number
}

export interface NoteVersionRow {
  readonly key: string
  readonly status: string
  readonly title: string
  readonly createdAt: number
  readonly supersededAt?: number
  readonly reason?: string
  readonly text: string
  readonly writtenBy?: Author
}

/** The answer to a question, with the reasons for its order. */
export interface Recalled {
  readonly results: readonly RecalledResult[]
  /** Words of the question that count, and how many of all notes have them. */
  readonly words: readonly { readonly word: string; readonly notes: number }[]
  /** Of how many notes. */
  readonly notes: number
  /** The question names times, so it counts when something was written. */
  readonly namesTime: boolean
  readonly prefersNewer: boolean
  readonly leftOut: readonly {
    readonly key?: string
    readonly title: string
    readonly why: 'matches too little' | 'same text'
    readonly probability: number
  }[]
  readonly belowFloor: number
  readonly routine: number
  readonly more: number
  /** What a person should know about how fresh this is. */
  readonly notices: readonly string[]
  readonly tookMs: number
  readonly now: number
}

export interface RecalledResult {
  readonly id: string
  readonly of: 'note' | 'belief' | 'episode' | 'session'
  readonly key?: string
  readonly title: string
  readonly kind: string
  readonly project: string
  readonly tags: readonly string[]
  readonly createdAt: number
  readonly writtenBy?: Author
  /** The passage that answers best, and the text around it. */
  readonly before: string
  readonly passage: string
  readonly after: string
  readonly score: number
  readonly parts: ScoreParts
}

/** Every part of a score, each 0 to 1 where nothing else is said. */
export interface ScoreParts {
  /** The probability that it answers the question. */
  readonly probability: number
  readonly words: number
  readonly together: number
  /** The cosine. Absent if meanings were not compared. */
  readonly meaning?: number
  readonly recency: number
  readonly time: number
  /** How much an entry of this kind counts beside a note. */
  readonly kindWeight: number
  /** What a link from a better result adds to the score. */
  readonly linked?: number
  /** Its place before a reranker moved it. */
  readonly placeBefore?: number
  readonly inPassage: readonly string[]
  readonly elsewhere: readonly string[]
  readonly absent: readonly string[]
}

export interface ConflictRow {
  readonly copy: string
  readonly of: string
  /** How the sync program names its copies. */
  readonly family: string
}

export interface ConflictList {
  readonly pairs: readonly ConflictRow[]
}

/** Both texts; a text is absent if its file is gone or cannot be read. */
export interface ConflictPage extends ConflictRow {
  readonly copyText?: string
  readonly originalText?: string
}

/** A change that a person makes in memory. */
export type MemoryChange =
  | {
      readonly do: 'save'
      readonly text: string
      readonly title?: string
      readonly kind: string
      readonly tags: readonly string[]
      readonly isPersonal: boolean
    }
  | {
      readonly do: 'edit'
      readonly key: string
      readonly text: string
      readonly title: string
      readonly tags: readonly string[]
      readonly ifHash: string
    }
  | {
      readonly do: 'supersede'
      readonly key: string
      readonly text: string
      readonly title: string
      readonly reason: string
      readonly ifHash: string
    }
  | { readonly do: 'forget' | 'restore'; readonly key: string; readonly reason?: string }
