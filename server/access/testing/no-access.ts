import type { SiteAccesses } from '../site-access.ts'

/** For tests in which no owner has given anything. */
export const NO_ACCESS: SiteAccesses = {
  show: async () => null,
  give: () => Promise.reject(new Error('nothing is kept in this test')),
  takeBack: async () => false,
  open: async () => null,
}
