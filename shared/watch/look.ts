/**
 * What a look at a watched domain came to. `seen`: it was audited. `unseen`: the domain did not
 * answer or did not let us in, so that nothing is known. `failed`: something failed on our side.
 */
export type LookOutcome = 'seen' | 'unseen' | 'failed'
