import { render } from 'preact'
import { App } from './views/app.tsx'
import { startLive } from './live.ts'
import { startRouter } from './router.ts'
import { startTheme } from './theme.ts'

startTheme()
startRouter()
startLive()
const home = document.querySelector('#app')
home?.replaceChildren()
if (home !== null) render(<App />, home)
