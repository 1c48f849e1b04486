/** What the page around us does is its own business: whatever it throws ends here, as undefined. */
export function attempt<Result>(run: () => Result): Result | void {
  try {
    return run()
  } catch {}
}
