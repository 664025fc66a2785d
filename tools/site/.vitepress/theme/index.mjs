// The default theme with the fonts of the reader's system: nothing is downloaded for them.
import DefaultTheme from 'vitepress/theme-without-fonts'
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet gives nothing to hold
import './site.css'

export default DefaultTheme
