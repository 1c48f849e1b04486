/** What the search for product pages may still ask. */
export interface Allowance {
  /** How many of some requests may be made together; these are then used up. */
  take(wanted: number): number
  left(): number
}

/**
 * Bounds the requests, and the answers that are waited for one after the other: `lanes` are asked
 * at a time.
 */
export function createAllowance(requests: number, answers: number, lanes: number): Allowance {
  let requestsLeft = requests
  let answersLeft = answers
  const left = () => Math.min(requestsLeft, answersLeft * lanes)
  return {
    take(wanted) {
      const taken = Math.min(wanted, left())
      requestsLeft -= taken
      answersLeft -= Math.ceil(taken / lanes)
      return taken
    },
    left,
  }
}
