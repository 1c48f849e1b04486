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
