/** In the sources next to this file; in `dist/` and `dist/store/` next to the bundle. */
export const STORE_MIGRATIONS = {
  folder: new URL('./store-migrations/', import.meta.url),
  table: 'store_migrations',
  command: 'aisle db migrate --store',
}
