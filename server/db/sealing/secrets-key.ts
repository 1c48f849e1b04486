import type { Settings } from '../../process/settings.ts'

export const SECRETS_KEY_BYTES = 32

/** 32 bytes, as 64 hexadecimal digits or in base64; null for anything else. */
export function readSecretsKey(text: string): Buffer | null {
  const typed = text.trim()
  const key = /^[\da-f]{64}$/i.test(typed)
    ? Buffer.from(typed, 'hex')
    : /^[\w+/-]{43}=?$/.test(typed)
      ? Buffer.from(typed, 'base64')
      : null
  return key?.length === SECRETS_KEY_BYTES ? key : null
}

/** SECRETS_KEY; null if it is not set. The message about a wrong one does not repeat it. */
export function readOwnSecretsKey({ secret }: Settings): Buffer | null {
  const text = secret('SECRETS_KEY')
  const key = text === undefined ? null : readSecretsKey(text)
  if (text === undefined || key !== null) return key
  throw new Error(
    'SECRETS_KEY is not a key of 32 bytes, as 64 hexadecimal digits or in base64: openssl rand -hex 32.',
  )
}
