import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../embedded/make-folder.ts'
import { readSecretsKey, SECRETS_KEY_BYTES } from './secrets-key.ts'

/**
 * Keeps what has to be sent again, and so cannot be stored as a hash, unreadable in the database
 * and its dumps: AES-256-GCM with a key outside it.
 */
export interface Sealer {
  /**
   * `about` says what it is of, and has to be the same to open it: a sealed text that is copied to
   * another row opens nothing. Rejects with NoSecretsKey where there is no key.
   */
  seal: (text: string, about: string) => Promise<string>
  /** Null if it was sealed with another key, of something else, or was changed. */
  unseal: (sealed: string, about: string) => Promise<string | null>
}

/** There is no key to seal with, and none can be made. */
export class NoSecretsKey extends Error {}

const IV_BYTES = 12
const TAG_BYTES = 16
const VERSION = 'v1'

/** Of a random key the hash says nothing; two keys are told apart by it. */
const nameOf = (key: Buffer): string => hash('sha256', key, 'hex').slice(0, 16)

/** Seals with the key that `readKey` finds. It is asked once, when it is needed. */
export function createSealer(readKey: (mayMake: boolean) => Promise<Buffer | null>): Sealer {
  let found: Buffer | null = null
  const keyFor = async (mayMake: boolean) => {
    found ??= await readKey(mayMake)
    return found
  }
  return {
    async seal(text, about) {
      const key = await keyFor(true)
      if (key === null)
        throw new NoSecretsKey(
          'There is no key to keep secrets with. Set SECRETS_KEY, or let DATA_DIR be written.',
        )
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
      cipher.setAAD(Buffer.from(about))
      const bytes = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final()])
      const whole = Buffer.concat([bytes, cipher.getAuthTag()])
      return [VERSION, nameOf(key), whole.toString('base64')].join('.')
    },
    async unseal(sealed, about) {
      const key = await keyFor(false)
      const [version, name, text = ''] = sealed.split('.')
      if (key === null || version !== VERSION || name !== nameOf(key)) return null
      const whole = Buffer.from(text, 'base64')
      const decipher = createDecipheriv('aes-256-gcm', key, whole.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(about))
      try {
        decipher.setAuthTag(whole.subarray(-TAG_BYTES))
        const opened = decipher.update(whole.subarray(IV_BYTES, -TAG_BYTES))
        return Buffer.concat([opened, decipher.final()]).toString('utf8')
      } catch {
        return null
      }
    },
  }
}

/**
 * A sealer with the operator's key or, without one, that of a file in `dataDir` which only its
 * owner can read. It is made when the first secret is stored.
 */
export const sealerOf = (settings: { secretsKey: Buffer | null; dataDir: string }): Sealer =>
  createSealer(
    async (mayMake) => settings.secretsKey ?? (await keyInFile(settings.dataDir, mayMake)),
  )

async function keyInFile(dataDir: string, mayMake: boolean): Promise<Buffer | null> {
  const path = join(dataDir, 'secrets-key')
  const read = () => readFile(path, 'utf8').then(readSecretsKey, () => null)
  const known = await read()
  if (known !== null || !mayMake) return known
  try {
    await makeFolder(dataDir)
    // Another process may make it at the same time: the first one stays.
    await writeFile(path, `${randomBytes(SECRETS_KEY_BYTES).toString('hex')}\n`, {
      mode: 0o600,
      flag: 'wx',
    })
  } catch {
    // It exists by now, or the folder is not writable: reading it tells.
  }
  return read()
}
