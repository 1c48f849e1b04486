import { afterAll } from 'vitest'
import { connect, type Database } from '../../../db/connect.ts'
import { testDatabase } from '../../../testing/app.ts'
import { seed } from '../../shop/seed.ts'
import { STORE_MIGRATIONS } from '../migrations.ts'

const opened: Database[] = []
afterAll(() => Promise.all(opened.map(({ close }) => close())))

/** A database of the caller's own with the store's tables, its shelves full. */
export async function storeDatabase(): Promise<Database> {
  const { url } = await testDatabase()
  const database = await connect({ databaseUrl: url, dataDir: '', migrations: STORE_MIGRATIONS })
  opened.push(database)
  await seed(database.db)
  return database
}
