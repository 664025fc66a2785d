// @ts-check
/** Loaded before everything else (`node --import`): changes one module as it is read, as `AGENTM_PLANTED` says. */
import { register } from 'node:module'

register('./plant-hooks.mjs', import.meta.url)
