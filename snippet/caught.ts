/** What the page around us does is its own business: whatever it throws ends here. */
export function caught(run: () => unknown): boolean | undefined {
  try {
    run()
  } catch {
    return true
  }
  return undefined
}
