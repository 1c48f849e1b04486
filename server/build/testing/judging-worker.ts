import type { TestProject } from 'vitest/node'
import { bundlePrograms, PROGRAMS } from '../bundler.ts'

/**
 * The worker that audits start is the one in `dist/`: a test of what has changed since it was
 * bundled would judge by the code of before.
 */
export default async function setUp({ vitest: { projects } }: TestProject) {
  if (projects.every(({ name }) => name === 'layout')) return
  const { 'judging-worker': judging, 'browser-worker': browser } = PROGRAMS
  await bundlePrograms({ 'judging-worker': judging, 'browser-worker': browser }, 'dist')
}
