/** The oldest Node that the commands run on, like `engines` of package.json. */
const OLDEST = [22, 19] as const

/** The message if the running Node is too old for the commands; otherwise null. */
export function oldNodeText(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])
  return isOld
    ? `Aisle needs Node ${OLDEST.join('.')} or later, and this is ${version}. Get a newer one from https://nodejs.org.`
    : null
}
