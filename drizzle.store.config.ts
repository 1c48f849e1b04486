import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: './server/store/db/tables.ts',
  out: './server/store/db/store-migrations',
})
