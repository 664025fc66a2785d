export { shellWord } from '@agentm/workspace/health'
