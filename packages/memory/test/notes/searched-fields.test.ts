import { describe, expect, it } from 'vitest'
import { parseNote } from '../../src/notes/pure/parse-note.ts'
import { searchedFields } from '../../src/notes/pure/searched-fields.ts'

describe('searchedFields', () => {
  it.each([
    ['Vault/Kitchen.md', '---\naliases: [Cooking, Food]\ntags: [home]\n---\n# Plans\n', 'Cooking Food Kitchen'],
    ['Vault/a.md', '---\nalias: Phoenix\ndate: 12.03.2025\n---\n# A\n', 'Phoenix 12.03.2025'],
    ['Vault/a.md', '---\ncreated: 2025-03-12T10:00:00Z\ndate: 2025-03-12\n---\n# A\n', '2025-03-12'],
    ['Journal/2025-03-12 Garden.md', '# Garden\n', '2025-03-12'],
  ])('of %s has its other names and its days', (key, text, line) => {
    expect(searchedFields(parseNote(text, key))).toBe(line)
  })

  it('of a forgotten note is nothing', () => {
    const text = '---\nkind: note\nstatus: deleted\ndeleted_at: 2025-01-01\nslug: gone\naliases: [Secret]\n---\n'
    expect(searchedFields(parseNote(text, 'personal/gone.md'))).toBe('')
  })
})
