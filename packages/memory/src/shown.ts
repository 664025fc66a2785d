/** For programs that show entries of memory: pure functions that open no store. */
export {
  type Author,
  dataNotice,
  marked,
  oneLine,
  quoted,
  type ShownEntry,
  shownEntry,
  shownId,
  type ShownItem,
  shownName,
  shownOnOneLine,
  sourceOf,
  visible,
} from './notes/pure/shown.ts'
export { titleIn } from './notes/pure/title-in.ts'
