import { createSealer } from '../seal.ts'

/** Seals with a key that all tests share. */
export const TEST_SEALER = createSealer(async () => Buffer.alloc(32, 1))
