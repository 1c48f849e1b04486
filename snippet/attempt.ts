/** What the page around us does is its own business: whatever it throws ends here. */
export function attempt<Result>(run: () => Result): Result | undefined {
  try {
    return run()
  } catch {}
  return undefined
}
