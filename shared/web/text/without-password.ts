/** What may stand before the host: up to the last `@`, as `new URL` reads it. */
const USER = /[^ /?#"'<>\\]{1,300}@/.source

/** With a scheme, any number of slashes either way; then after two slashes, or with a password. */
const ADDRESSED = new RegExp(`((?:https?|wss?|ftp):[\\\\/]{0,8})${USER}`, 'gi')
const SCHEMELESS = new RegExp(`(^|[\\s"'(=])(//)${USER}`, 'g')
const BARE = /(^|[\s"'(=])([^\s/?#@:"'<>\\]{1,100}):[^\s/?#"'<>\\]{1,300}@/g

/**
 * A text whose addresses have lost the name and the password before their host, as in
 * `https://…@host`: findings, errors and logs are read by others. Every quantifier has a bound, so
 * that it is linear in the text.
 */
export const withoutPassword = (text: string): string =>
  text
    .replace(ADDRESSED, '$1…@')
    .replace(SCHEMELESS, '$1$2…@')
    .replace(BARE, (_, before: string, user: string) =>
      user.toLowerCase() === 'mailto' ? _ : `${before}${user}:…@`,
    )
