import { conflictCopy } from '@agentm/storage-seam'
import { describe, expect, it } from 'vitest'

const beside = new Set(['note.md', 'PLAN-x.md'])

describe('conflictCopy', () => {
  it.each([
    ['note (conflicted copy 2026-01-02 030405).md', 'conflicted-copy'],
    ["note (Anna's conflicted copy 2026-01-02).md", 'conflicted-copy'],
    ['note (Conflicted copy laptop 202601021234).md', 'conflicted-copy'],
    ['note (Case Conflict).md', 'dropbox-case'],
    ['note [conflict].md', 'bracket-conflict'],
    ['note [Conflict 2].md', 'bracket-conflict'],
    ['note [Conflict 1] - Laptop.md', 'bracket-conflict'],
    ['note.sync-conflict-20260102-030405-ABCDEF7.md', 'syncthing'],
    ['note_laptop_Jan-02-030405-2026_Conflict.md', 'synology'],
    ['note.Conflict.md', 'resilio'],
    ['Copy of note.md', 'copy-of'],
    ['Kopie von note.md', 'copy-of'],
    ['note (1).md', 'numbered'],
    ['note (٢).md', 'numbered'],
    ['note 2.md', 'icloud'],
  ])('%s is a %s copy of note.md', (name, family) => {
    expect(conflictCopy(name, beside)).toEqual({ family, original: 'note.md' })
  })

  it.each([
    ['note.md'],
    ['PLAN-y (2).md'],
    ['Chapter 2.md'],
    ['Copy of a letter.md'],
    ['conflicted copy.md'],
    ['sync-conflict notes.md'],
    ['note (a).md'],
  ])('%s is a file of its own', (name) => {
    expect(conflictCopy(name, beside)).toBeUndefined()
  })
})
