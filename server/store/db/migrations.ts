/** Beside this file in the sources, beside the bundle in `dist/` and `dist/store/`. */
export const STORE_MIGRATIONS = {
  folder: new URL('./store-migrations/', import.meta.url),
  table: 'store_migrations',
  command: 'aisle db migrate --store',
}
