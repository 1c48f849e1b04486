import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const hasPhp = spawnSync('php', ['--version']).status === 0

/** Runs the code after a stand-in for its platform and the recipe. Resolves to what it echoes. */
function php(standIn: string, recipe: string, script: string): unknown {
  const files = [`testing/${standIn}`, `code/${recipe}`].map(
    (file) => `require '${resolve('server/pages/tools/orders', file)}';`,
  )
  const code = `error_reporting(E_ALL); ${files.join(' ')} ${script}`
  const { stdout, stderr } = spawnSync('php', ['-d', 'display_errors=stderr', '-r', code], {
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

describe.skipIf(!hasPhp)('the recipes in PHP, where it is installed', () => {
  test.each([
    ['with a visit notes it', "'visit-0123456789', 7", [/^INSERT .*\(7, 'visit-0123456789'\)/]],
    ['without one forgets what was noted', 'null, 7', [/^DELETE .*`id_order` IS NULL AND .* = 7$/]],
    ['with a made-up one does as well', "'1 OR 1', 7", [/^DELETE /]],
    ['in the request of somebody else, who pays it, leaves it', 'null, false', []],
  ])('PrestaShop: a cart that is saved %s', (_, cookies, queries) => {
    const script = `save_cart(${cookies}); echo json_encode(Db::getInstance()->queries);`
    const made = php('prestashop.php', 'prestashop/aisle.php', script)
    expect(made).toEqual(queries.map((query) => expect.stringMatching(query)))
  })
})
