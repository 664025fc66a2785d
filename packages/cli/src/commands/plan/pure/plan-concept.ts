/** The kind of node a plan is. */
export const planConcept = 'v1:harness:plan'
