/** The value of JSON that a page wrote; null for any other text. */
export function pageJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
