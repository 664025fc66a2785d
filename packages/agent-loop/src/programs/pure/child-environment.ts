/** The environment variables that a program sees: only the named ones. */
const usual = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR', 'TZ', 'USER', 'SHELL']
// Without these, most Windows programs do not start or cannot find their own files.
const usualOnWindows = ['SystemRoot', 'SystemDrive', 'windir', 'ComSpec', 'PATHEXT', 'TEMP', 'TMP', 'USERPROFILE']
const usualPlacesOnWindows = ['USERNAME', 'APPDATA', 'LOCALAPPDATA', 'ProgramData', 'ProgramFiles']
export const usuallyAllowed: readonly string[] = [...usual, ...usualOnWindows, ...usualPlacesOnWindows]

export function childEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  allowed: readonly string[] = usuallyAllowed,
): Readonly<Record<string, string>> {
  const seen = allowed.flatMap((name) => {
    const value = environment[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(seen)
}
