/** A note as it is meant to be read. Images are not loaded, because their address could tell somebody that the note was opened. */
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { MarkedToken, Token, Tokens } from 'marked'
import { Value } from '../views/value.tsx'
import { withoutEntities } from './pure/entities.ts'
import { isKnown, markdownTokens } from './pure/markdown-tokens.ts'
import { safeLink } from './pure/safe-link.ts'

/** `title` is shown above the note, so a heading that only repeats it is left out. */
export function Markdown({ text, title = '' }: { readonly text: string; readonly title?: string }) {
  const tokens = useMemo(() => markdownTokens(text), [text])
  if (tokens === undefined) return <Value value={text} />
  const [first] = tokens
  const isTitle = first?.type === 'heading' && first.text.trim() === title.trim()
  return (
    <div class="markdown">
      {(isTitle ? tokens.slice(1) : tokens).map((token, i) => (
        <Drawn key={i} token={token} />
      ))}
    </div>
  )
}

function All({ tokens = [] }: { readonly tokens?: readonly Token[] | undefined }) {
  return (
    <>
      {tokens.filter(isKnown).map((token, i) => (
        <Drawn key={i} token={token} />
      ))}
    </>
  )
}

function Drawn({ token }: { readonly token: MarkedToken }): ComponentChildren {
  switch (token.type) {
    case 'heading':
      return <Heading depth={token.depth} tokens={token.tokens} />
    case 'paragraph':
      return (
        <p>
          <All tokens={token.tokens} />
        </p>
      )
    case 'blockquote':
      return (
        <blockquote>
          <All tokens={token.tokens} />
        </blockquote>
      )
    case 'code':
      return (
        <pre class="value" tabIndex={0}>
          {token.text}
        </pre>
      )
    case 'list':
      return <List list={token} />
    case 'list_item':
      return (
        <li class={token.task ? 'is-task' : ''}>
          <All tokens={token.tokens} />
        </li>
      )
    case 'checkbox':
      return (
        <span role="img" class="task" aria-label={token.checked ? 'done' : 'not done'}>
          {token.checked ? '☑' : '☐'}
        </span>
      )
    case 'table':
      return <Table table={token} />
    case 'hr':
      return <hr />
    case 'html':
      return token.block ? <p class="as-written">{token.text.trim()}</p> : token.text
    case 'link':
      return <Link href={token.href} tokens={token.tokens} />
    case 'image':
      return <Link href={token.href} words={`Image: ${token.text === '' ? token.href : token.text}`} />
    case 'strong':
      return (
        <strong>
          <All tokens={token.tokens} />
        </strong>
      )
    case 'em':
      return (
        <em>
          <All tokens={token.tokens} />
        </em>
      )
    case 'del':
      return (
        <del>
          <All tokens={token.tokens} />
        </del>
      )
    case 'codespan':
      return <code>{token.text}</code>
    case 'br':
      return <br />
    case 'escape':
      return token.text
    case 'text':
      return 'tokens' in token && token.tokens !== undefined ? (
        <All tokens={token.tokens} />
      ) : (
        withoutEntities(token.text)
      )
    default:
      return null
  }
}

/** The page has one heading of the first rank: the title of the note. */
function Heading({ depth, tokens }: Pick<Tokens.Heading, 'depth' | 'tokens'>) {
  const Rank = depth <= 1 ? 'h2' : depth === 2 ? 'h3' : 'h4'
  return (
    <Rank>
      <All tokens={tokens} />
    </Rank>
  )
}

function List({ list: { ordered, start, items } }: { readonly list: Tokens.List }) {
  const rows = items.map((item, i) => <Drawn key={i} token={item} />)
  return ordered ? <ol start={typeof start === 'number' ? start : 1}>{rows}</ol> : <ul>{rows}</ul>
}

function Table({ table: { header, rows } }: { readonly table: Tokens.Table }) {
  return (
    <div class="table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {header.map((cell, i) => (
              <th key={i} scope="col" class={`is-${cell.align ?? 'left'}`}>
                <All tokens={cell.tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>
              {row.map((cell, n) => (
                <td key={n} class={`is-${cell.align ?? 'left'}`}>
                  <All tokens={cell.tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Where it leads is shown before somebody goes there. */
function Link({
  href,
  tokens,
  words,
}: {
  readonly href: string
  readonly tokens?: readonly Token[] | undefined
  readonly words?: string
}) {
  const address = safeLink(href)
  const inside = words ?? <All tokens={tokens} />
  if (address === undefined)
    return (
      <span class="no-link" title={`Not a link of the web: ${href}`}>
        {inside}
      </span>
    )
  return (
    <a href={address} title={address} target="_blank" rel="noopener noreferrer nofollow">
      {inside}
    </a>
  )
}
