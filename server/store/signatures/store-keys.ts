import type { Sealer } from '../../db/sealing/seal.ts'
import { type KeyRing, keyRing } from '../../signatures/keys.ts'
import { signing_keys } from '../db/tables.ts'

/** The store's own keys: UCP demands that every verifier knows ES256. */
export const storeKeys = (sealer: Sealer): KeyRing => keyRing(signing_keys, 'ES256', sealer)
