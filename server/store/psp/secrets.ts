/**
 * Throws unless there is a secret and each is complete: with an empty secret anyone can sign, and
 * with a stray line break no signature matches.
 */
export function requireSecrets(what: string, secrets: readonly string[]): void {
  if (secrets.length === 0 || secrets.some((secret) => secret === '' || /\s/.test(secret))) {
    throw new Error(`${what} is missing, empty or contains whitespace. Copy it from the PSP again.`)
  }
}
