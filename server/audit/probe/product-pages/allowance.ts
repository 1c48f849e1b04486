/** How many more requests the search for product pages may make. */
export interface Allowance {
  /** Takes one, if one is left. */
  take(): boolean
  left(): number
}

export function createAllowance(most: number): Allowance {
  let left = most
  return {
    take() {
      if (left === 0) return false
      left -= 1
      return true
    },
    left: () => left,
  }
}
