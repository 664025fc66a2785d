/** The thesaurus, apart from the embedder: whoever needs one rarely needs the other at once. */
export { openRelatedWords } from './related-words.ts'
export type { RelatedWord, RelatedWords } from './pure/related-table.ts'
