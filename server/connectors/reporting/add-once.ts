/**
 * Adds a row that is not there yet, and says whether it did. Another process may have the same
 * thing to note at the same moment.
 */
export async function addOnce(
  isThere: () => Promise<boolean>,
  add: () => Promise<unknown>,
): Promise<boolean> {
  if (await isThere()) return false
  try {
    await add()
    return true
  } catch (error) {
    if (await isThere()) return false
    throw error
  }
}
