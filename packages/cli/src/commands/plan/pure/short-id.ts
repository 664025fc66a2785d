export { shortId } from '@agentm/workspace/health'
