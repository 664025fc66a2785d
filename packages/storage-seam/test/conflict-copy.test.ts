import { conflictCopy } from '@agentm/storage-seam'
import { describe, expect, it } from 'vitest'

const beside = new Set(['note.md', 'my-trip.md', 'PLAN-x.md', 'Grüße.md'])

/** By the program that writes it. All are copies beside `note.md`; `alone`: also without it. */
const copies: readonly (readonly [name: string, family: string, stands: 'alone' | 'beside'])[] = [
  ['note (conflicted copy 2026-01-02 030405).md', 'conflicted-copy', 'alone'],
  ["note (Anna's conflicted copy 2026-01-02).md", 'conflicted-copy', 'alone'],
  ["note (Anna's conflicted copy 2026-01-02 1).md", 'conflicted-copy', 'alone'],
  ['note (Conflicted copy laptop 202601021234).md', 'conflicted-copy', 'alone'],
  ['note (In Konflikt stehende Kopie von Anna 2026-01-02).md', 'conflicted-copy', 'alone'],
  ['note (Annas in Konflikt stehende Kopie 2026-01-02).md', 'conflicted-copy', 'alone'],
  ['note (Copie en conflit de Anna 2026-01-02).md', 'conflicted-copy', 'alone'],
  ['note (Copia conflictiva de Anna 2026-01-02).md', 'conflicted-copy', 'alone'],
  ['note (Copia in conflitto di Anna 2026-01-02).md', 'conflicted-copy', 'alone'],
  ['note (Cópia em conflito de Anna 2026-01-02).md', 'conflicted-copy', 'alone'],
  ['note (kopia powodująca konflikt, Anna 2026-01-02).md', 'conflicted-copy', 'alone'],
  ['note (конфликтующая копия с Anna 2026-01-02).md', 'conflicted-copy', 'alone'],
  ['note (Anna の競合コピー 2026-01-02).md', 'conflicted-copy', 'alone'],
  ['note (Anna 的冲突副本 2026-01-02).md', 'conflicted-copy', 'alone'],
  ['note (Anna의 충돌된 사본 2026-01-02).md', 'conflicted-copy', 'alone'],
  ['note.sync-conflict-20260102-030405-ABCDEF7.md', 'syncthing', 'alone'],
  ['note_laptop_Jan-02-030405-2026_Conflict.md', 'synology', 'alone'],
  ['note_laptop_Jan-02-030405-2026_CaseConflict1.md', 'synology', 'alone'],
  ['note_conflict-20260102-030405.md', 'underscore-conflict', 'alone'],
  ['note_conflict_20260102_030405_1a2b3c4d5e.md', 'underscore-conflict', 'alone'],
  ['note (SFConflict anna@example.com 2026-01-02-03-04-05).md', 'seafile', 'alone'],
  ['note (# Name clash 2026-01-02 aB3dE #).md', 'proton-drive', 'alone'],
  ['note (Konflikt von Anna).md', 'conflicted-copy', 'beside'],
  ["note (Anna's conflicted copy).md", 'conflicted-copy', 'beside'],
  ['note (Anna en conflit 2026-01-02).md', 'conflicted-copy', 'beside'],
  ['note (DESKTOP-QRI9EIH conflict 2026-01-02).md', 'conflicted-copy', 'beside'],
  ['note (Case Conflict).md', 'dropbox-case', 'beside'],
  ['note (Unicode Encoding Conflict).md', 'dropbox-case', 'beside'],
  ['note [conflict].md', 'bracket-conflict', 'beside'],
  ['note [conflicted].md', 'bracket-conflict', 'beside'],
  ['note [Conflict 2].md', 'bracket-conflict', 'beside'],
  ['note [Conflict 1] - Laptop.md', 'bracket-conflict', 'beside'],
  ['note.Conflict.md', 'resilio', 'beside'],
  ['note_conf(1).md', 'google-drive', 'beside'],
  ['note_conflict.md', 'underscore-conflict', 'beside'],
  ['Copy of note.md', 'copy-of', 'beside'],
  ['Kopie von note.md', 'copy-of', 'beside'],
  ['Copia de note.md', 'copy-of', 'beside'],
  ['note (1).md', 'numbered', 'beside'],
  ['note (12).md', 'numbered', 'beside'],
  ['note (٢).md', 'numbered', 'beside'],
  ...[2, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 99].map(
    (number) => [`note ${number}.md`, 'icloud', 'beside'] as const,
  ),
  ['note-DESKTOP-7Q2ABCD.md', 'onedrive', 'beside'],
  ['note-DESKTOP-7Q2ABCD-2.md', 'onedrive', 'beside'],
  ['note-LAPTOP-AB12CD34.md', 'onedrive', 'beside'],
  ['note-WIN-1A2B3C4D5E6.md', 'onedrive', 'beside'],
  ['note-ANNA-PC.md', 'onedrive', 'beside'],
  ['note-MYLAPTOP.md', 'onedrive', 'beside'],
  ['note-Annas-MacBook-Pro.md', 'onedrive', 'beside'],
  ['note-MacBook-Air-von-Anna-3.md', 'onedrive', 'beside'],
]

describe('conflictCopy', () => {
  it.each(copies)('%s is a %s copy of the note.md beside it', (name, family) => {
    expect(conflictCopy(name, beside)).toEqual({ family, original: 'note.md' })
  })

  it.each(copies)('%s of %s, without its original, stands %s', (name, family, stands) => {
    const expected = stands === 'alone' ? { family, original: 'note.md' } : undefined
    expect(conflictCopy(name, new Set([name]))).toEqual(expected)
  })

  it.each([
    ['note.md'],
    ['Armed.Conflict.md'],
    ['The Korean.Conflict.md'],
    ['Arab-Israeli [conflict].md'],
    ['Family (conflict with Anna).md'],
    ['Talk (Konflikt mit Anna 2026-01-02).md'],
    ['Reading (Case Conflict).md'],
    ['Northern Ireland_conflict.md'],
    ['nginx_conf(1).md'],
    ['PLAN-y (2).md'],
    ['Chapter 2.md'],
    ['Copy of a letter.md'],
    ['Kopie von gestern.md'],
    ['conflicted copy.md'],
    ['sync-conflict notes.md'],
    ['note (a).md'],
    ['note 1.md'],
    ['note 100.md'],
    ['note 2026.md'],
    ['note-B.md'],
    ['note-EN.md'],
    ['note-V2.md'],
    ['note-DRAFT.md'],
    ['note-2.md'],
    ['note-PC.md'],
    ['note-laptop.md'],
    ['note-iPhone.md'],
    ['note-MacBook-Pro.md'],
    ['my-trip-with-anna.md'],
    ['other-DESKTOP-7Q2ABCD.md'],
  ])('%s is a file of its own', (name) => {
    expect(conflictCopy(name, new Set([...beside, name]))).toBeUndefined()
  })

  it('takes no numbered chapter for a copy of the first', () => {
    const chapters = new Set(['Chapter.md', 'Chapter 1.md', 'Chapter 2.md', 'Chapter 12.md'])
    expect([...chapters].map((name) => conflictCopy(name, chapters))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  it('finds the original of a name that was too much like it', () => {
    const apart = new Set(['Note.md', 'Gru\u0308ße.md'])
    expect(conflictCopy('note (Case Conflict).md', apart)?.original).toBe('Note.md')
    expect(conflictCopy('Gr\u00FCße (Unicode Encoding Conflict).md', apart)?.original).toBe('Gru\u0308ße.md')
  })

  it('finds the original of a name with hyphens in it', () => {
    expect(conflictCopy('my-trip-DESKTOP-7Q2ABCD.md', beside)?.original).toBe('my-trip.md')
    expect(conflictCopy('PLAN-x-ANNA-PC.md', beside)?.original).toBe('PLAN-x.md')
  })

  it('finds the original of a name without an extension', () => {
    expect(conflictCopy('notes 2', new Set(['notes', 'notes 2']))?.original).toBe('notes')
    expect(conflictCopy('notes.Conflict', new Set(['notes']))?.original).toBe('notes')
  })
})
