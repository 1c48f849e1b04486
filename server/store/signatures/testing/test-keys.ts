import { TEST_SEALER } from '../../../db/sealing/testing/test-sealer.ts'
import { storeKeys } from '../store-keys.ts'

/** The keys of a store in tests. */
export const TEST_KEYS = storeKeys(TEST_SEALER)
