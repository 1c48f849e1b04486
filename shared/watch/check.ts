/**
 * How a check of a watched domain ended. `seen`: it was audited. `unseen`: the domain did not
 * answer or blocked us, so nothing is known. `failed`: something failed on our side.
 */
export type CheckOutcome = 'seen' | 'unseen' | 'failed'
