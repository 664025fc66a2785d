/** What narrows a list, kept in the address: a search, one of a few words, one of many. */
import { useEffect, useRef } from 'preact/hooks'
import { query, setQuery } from '../router.ts'
import { Icon } from './icons.tsx'

export interface SearchFieldProps {
  /** What a screen reader says. */
  readonly label: string
  readonly placeholder: string
}

/** The key / leads into it. */
export function SearchField({ label, placeholder }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      field.current?.focus()
    }
    addEventListener('keydown', focus)
    return () => removeEventListener('keydown', focus)
  }, [])
  return (
    <label class="search">
      <Icon name="search" />
      <span class="only-read">{label}</span>
      <input
        ref={field}
        type="search"
        placeholder={placeholder}
        value={query.value.get('q') ?? ''}
        onInput={({ currentTarget }) => setQuery('q', currentTarget.value)}
      />
      <kbd aria-hidden="true">/</kbd>
    </label>
  )
}

export interface Option {
  /** Empty for what is shown if nothing is chosen. */
  readonly value: string
  readonly title: string
  readonly count?: number
}

export interface OptionsProps {
  /** The name in the address. */
  readonly name: string
  readonly label: string
  readonly options: readonly Option[]
}

/** Buttons in a row. One of them is pressed. */
export function Chips({ name, label, options }: OptionsProps) {
  const asked = query.value.get(name) ?? ''
  const chosen = options.some(({ value }) => value === asked) ? asked : ''
  return (
    <div class="chips" role="group" aria-label={label}>
      {options.map(({ value, title, count }) => (
        <button
          key={value}
          type="button"
          class="chip"
          aria-pressed={chosen === value}
          onClick={() => setQuery(name, value)}
        >
          {title}
          {count !== undefined && <span class="chip-count">{count}</span>}
        </button>
      ))}
    </div>
  )
}

export function Choice({ name, label, options }: OptionsProps) {
  return (
    <label class="select">
      <span class="only-read">{label}</span>
      <select value={query.value.get(name) ?? ''} onChange={({ currentTarget }) => setQuery(name, currentTarget.value)}>
        {options.map(({ value, title, count }) => (
          <option key={value} value={value}>
            {title}
            {count !== undefined && ` (${count})`}
          </option>
        ))}
      </select>
    </label>
  )
}
