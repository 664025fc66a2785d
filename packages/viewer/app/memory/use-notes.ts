/** The list of notes as the page holds it: the pieces that somebody has scrolled to, of one choice. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { NoteList, NoteRow } from '../../src/contract/memory.ts'
import { ask } from '../api.ts'
import { setClock } from '../clock.ts'
import { whileLookedAt } from '../fresh.ts'
import { query } from '../router.ts'
import { made } from '../views/confirm.tsx'
import { listQuery } from './pure/list-query.ts'

export const pieceSize = 200

export interface HeldNotes {
  /** The first piece, with what there is to choose from. */
  readonly list: NoteList
  readonly pieces: ReadonlyMap<number, readonly NoteRow[]>
}

export interface Notes {
  readonly held: HeldNotes | undefined
  readonly error: Error | undefined
  /** The notes are those of another choice, because those of this one are still on their way. */
  readonly isOld: boolean
  /** Loads the pieces with these rows. */
  readonly need: (first: number, last: number) => void
}

interface State {
  readonly held?: HeldNotes
  readonly of?: string
  readonly error?: Error
}

/** The store is looked at again beside the answer; how long that takes is a matter of its size. */
const againMs = 800

export function useNotes(): Notes {
  const chosen = listQuery(query.value)
  const [state, setState] = useState<State>({})
  const [asked, setAsked] = useState(0)
  const going = useRef(new Set<string>())
  const changes = made.value
  useEffect(() => {
    const end = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const load = async () => {
      try {
        const list = await ask<NoteList>(`/api/notes?${chosen}`, end.signal)
        setClock(list.now)
        setState(({ held, of }) => ({
          held: { list, pieces: piecesAfter(list, of === chosen ? held : undefined) },
          of: chosen,
        }))
        if (list.isStale) timer = setTimeout(() => void load(), againMs)
      } catch (error) {
        if (end.signal.aborted) return
        setState((before) => ({ ...before, error: error instanceof Error ? error : new Error(String(error)) }))
      }
    }
    void load()
    return () => {
      end.abort()
      clearTimeout(timer)
    }
  }, [chosen, asked, changes])
  useEffect(() => whileLookedAt(() => setAsked((count) => count + 1)), [])
  const { held } = state
  const need = useCallback(
    (first: number, last: number) => {
      if (held === undefined || state.of !== chosen) return
      for (let piece = Math.floor(first / pieceSize); piece * pieceSize < Math.min(last, held.list.total); piece++) {
        const name = `${piece} ${chosen}`
        if (held.pieces.has(piece) || going.current.has(name)) continue
        going.current.add(name)
        void ask<NoteList>(`/api/notes?${chosen}&from=${piece * pieceSize}`)
          .then(({ notes }) => setState((now) => withPiece(now, { of: chosen, piece, notes })))
          .catch(() => {})
          .finally(() => going.current.delete(name))
      }
    },
    [held, state.of, chosen],
  )
  return { held, error: state.error, isOld: state.of !== chosen, need }
}

/** Pieces that are held stay until they are read again, if the list is as long as it was. */
function piecesAfter(list: NoteList, held: HeldNotes | undefined): ReadonlyMap<number, readonly NoteRow[]> {
  const isAlike = held !== undefined && held.list.total === list.total && held.list.notes[0]?.key === list.notes[0]?.key
  return new Map([...(isAlike ? held.pieces : []), [0, list.notes]])
}

function withPiece(
  state: State,
  { of, piece, notes }: { readonly of: string; readonly piece: number; readonly notes: readonly NoteRow[] },
): State {
  if (state.held === undefined || state.of !== of) return state
  return { ...state, held: { ...state.held, pieces: new Map([...state.held.pieces, [piece, notes]]) } }
}
