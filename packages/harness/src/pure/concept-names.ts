export const planName = 'v1:harness:plan'
export const stepName = 'v1:harness:step'
export const observationName = 'v1:harness:observation'
export const agentName = 'v1:harness:agent'
