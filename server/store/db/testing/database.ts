import { inject } from 'vitest'
import type { Database } from '../../../db/connect.ts'
import { testDatabase } from '../../../testing/app.ts'

/** A database of the caller's own with the store's tables, its shelves full. */
export const storeDatabase = (): Promise<Database> => testDatabase(inject('storeTemplateUrl'))
