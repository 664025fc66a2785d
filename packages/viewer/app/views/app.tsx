/** The frame around every view: who, where, whether changes arrive, and what became of the last action. */
import { useEffect } from 'preact/hooks'
import { about, loadAbout } from '../about.ts'
import { isLive } from '../live.ts'
import { notice, tellPerson } from '../notices.ts'
import { view } from '../router.ts'
import { isDark, switchTheme } from '../theme.ts'
import { ConfirmDialog } from './confirm.tsx'
import { Icon } from './icons.tsx'
import { PlanView } from './plan-view.tsx'
import { PlansView } from './plans-view.tsx'
import { Empty } from './empty.tsx'

export function App() {
  useEffect(() => {
    loadAbout().catch((error: unknown) => tellPerson(error instanceof Error ? error.message : String(error), true))
  }, [])
  const shown = view.value
  return (
    <>
      <a class="skip-link" href="#main">
        Skip to the content
      </a>
      <Header />
      <main id="main" tabIndex={-1}>
        {shown.shows === 'plans' && <PlansView />}
        {shown.shows === 'plan' && <PlanView key={shown.id} id={shown.id} as={shown.as} step={shown.step} />}
        {shown.shows === 'nothing' && (
          <Empty title="There is no such page">
            <a href="/plans">Show all plans</a>
          </Empty>
        )}
      </main>
      <ConfirmDialog />
      <div class="notices" role="status" aria-live="polite">
        {notice.value && <p class={notice.value.isError ? 'notice is-error' : 'notice'}>{notice.value.text}</p>}
      </div>
    </>
  )
}

function Header() {
  const { owner, project, canWrite } = about.value
  return (
    <header class="top">
      <a class="brand" href="/plans" aria-label="agentm: all plans">
        <img src="/icon.svg" width="26" height="26" alt="" />
        <span>agentm</span>
      </a>
      <p class="whose">
        {owner !== '' && <span title="Whose plans these are">{owner}</span>}
        {project !== '' && <span title="The project of the directory where agentm view was started">{project}</span>}
        {owner !== '' && !canWrite && (
          <span title="To change plans here, start it with agentm view --write">read only</span>
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
