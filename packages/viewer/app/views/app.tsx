/** The frame around every room: who, where, whether changes arrive, and what became of the last action. */
import { type ComponentType } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { about, loadAbout } from '../about.ts'
import { isLive } from '../live.ts'
import { notice, tellPerson } from '../notices.ts'
import { rooms, type Room, type RoomProps } from '../rooms.ts'
import { parts } from '../router.ts'
import { isDark, switchTheme } from '../theme.ts'
import { ConfirmDialog } from './confirm.tsx'
import { Icon } from './icons.tsx'
import { NoSuchPage } from './no-such-page.tsx'

export function App() {
  useEffect(() => {
    loadAbout().catch(tell)
  }, [])
  const [name = rooms[0]?.name, ...rest] = parts.value
  const room = rooms.find((one) => one.name === name)
  return (
    <>
      <a class="skip-link" href="#main">
        Skip to the content
      </a>
      <Header shown={name} />
      <main id="main" tabIndex={-1}>
        {room === undefined ? <NoSuchPage /> : <RoomView key={room.name} room={room} parts={rest} />}
      </main>
      <ConfirmDialog />
      <div class="notices" role="status" aria-live="polite">
        {notice.value && <p class={notice.value.isError ? 'notice is-error' : 'notice'}>{notice.value.text}</p>}
      </div>
    </>
  )
}

const loaded = new Map<string, ComponentType<RoomProps>>()

/** Loads the room when it is first shown; afterwards it is there at once. */
function RoomView({ room, parts: rest }: RoomProps & { readonly room: Room }) {
  const [, setLoaded] = useState(loaded.size)
  useEffect(() => {
    if (!loaded.has(room.name)) void load(room).then(() => setLoaded(loaded.size))
  }, [room])
  const View = loaded.get(room.name)
  return View === undefined ? null : <View parts={rest} />
}

async function load({ name, load: room }: Room): Promise<void> {
  try {
    loaded.set(name, await room())
  } catch (error) {
    tell(error)
  }
}

function tell(error: unknown): void {
  tellPerson(error instanceof Error ? error.message : String(error), true)
}

/** On a narrow screen, the names of the rooms are a row that can be moved. */
function intoView(link: HTMLElement | null): void {
  link?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

function Header({ shown }: { readonly shown: string | undefined }) {
  const { owner, project, canWrite } = about.value
  const nav = useRef<HTMLElement>(null)
  // On a telephone not all parts fit.
  useEffect(() => nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }), [shown])
  return (
    <header class="top">
      <a class="brand" href="/" aria-label="agentm: the first page">
        <img src="/icon.svg" width="26" height="26" alt="" />
        <span>agentm</span>
      </a>
      <nav ref={nav} class="rooms" aria-label="Parts of this page">
        {rooms.map(({ name, title }) => (
          <a
            key={name}
            href={`/${name}`}
            ref={name === shown ? intoView : null}
            aria-current={name === shown ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      <p class="whose">
        {owner !== '' && <span title="Whose plans and notes these are">{owner}</span>}
        {project !== '' && <span title="The project of the directory where agentm view was started">{project}</span>}
        {owner !== '' && !canWrite && (
          <span title="To change things here, start it with agentm view --write">read only</span>
        )}
      </p>
      <p class={isLive.value ? 'live is-on' : 'live'} role="status">
        <i aria-hidden="true" />
        {isLive.value ? 'Live' : 'Connecting…'}
      </p>
      <button
        type="button"
        class="icon-button"
        onClick={switchTheme}
        aria-label={isDark.value ? 'Use light colours' : 'Use dark colours'}
        title={isDark.value ? 'Light' : 'Dark'}
      >
        <Icon name={isDark.value ? 'sun' : 'moon'} />
      </button>
    </header>
  )
}
