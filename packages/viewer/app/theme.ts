/** Light or dark: as the system says, until a person chooses. */
import { signal } from '@preact/signals'

const key = 'agentm-theme'
const prefersDark = matchMedia('(prefers-color-scheme: dark)')
export const isDark = signal(false)

export function startTheme(): void {
  const chosen = localStorage.getItem(key)
  apply(chosen === null ? prefersDark.matches : chosen === 'dark')
  prefersDark.addEventListener('change', ({ matches }) => {
    if (localStorage.getItem(key) === null) apply(matches)
  })
}

export function switchTheme(): void {
  localStorage.setItem(key, isDark.value ? 'light' : 'dark')
  apply(!isDark.value)
}

function apply(dark: boolean): void {
  isDark.value = dark
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light'
}
