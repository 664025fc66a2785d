/** Text or JSON that a program wrote. It is shown as text, whatever it contains. */
export function Value({ value }: { readonly value: unknown }) {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '')
  return (
    <pre class="value" tabIndex={0}>
      {text}
    </pre>
  )
}
