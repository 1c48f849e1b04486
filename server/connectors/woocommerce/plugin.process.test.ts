import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { zipPlugin } from '../../build/connectors.ts'

const PLUGIN = resolve('server/connectors/woocommerce/aisle')
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

test('the plugin is packed the same each time, with the version of the service', async () => {
  const packed = await zipPlugin()
  expect(await zipPlugin()).toEqual(packed)
  const files = unzipSync(packed)
  const text = (name: string) => Buffer.from(files[`aisle/${name}`] ?? []).toString()
  expect(Object.keys(files).every((name) => name.startsWith('aisle/'))).toBe(true)
  expect(text('aisle.php')).toContain(`Version: ${version}\n`)
  expect(text('aisle.php')).toContain(`AISLE_VERSION = '${version}'`)
  expect(text('readme.txt')).toContain(`Stable tag: ${version}\n`)
  expect(text('assets/visit.js')).toMatch(/^ *\/\/ Tells your server[^<]+aisle_visit/)
})

const hasPhp = spawnSync('php', ['--version']).status === 0

describe.skipIf(!hasPhp)('in PHP, where it is installed', () => {
  /** Runs a script after stand-ins for WordPress and WooCommerce, and a part of the plugin. */
  const php = (script: string): unknown => {
    const files = [resolve('server/connectors/woocommerce/testing/woocommerce.php')]
    files.push(`${PLUGIN}/includes/orders.php`)
    const loaded = files.map((file) => `require '${file}';`).join(' ')
    const code = `error_reporting(E_ALL); ${loaded} ${script}`
    const { stdout, stderr } = spawnSync('php', ['-d', 'display_errors=stderr', '-r', code], {
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    return JSON.parse(stdout)
  }

  const files = readdirSync(PLUGIN, { recursive: true, encoding: 'utf8' })
  test.each(files.filter((file) => file.endsWith('.php')))('%s parses', (file) => {
    expect(spawnSync('php', ['-l', `${PLUGIN}/${file}`], { encoding: 'utf8' }).status).toBe(0)
  })

  test('an order of a visit is reported once, however often it is paid', () => {
    const script = `
      $_COOKIE['aisle_visit'] = 'visit-0123456789';
      pay(place_order());
      unset($_COOKIE['aisle_visit']);
      pay(place_order());
      echo json_encode($queued);`
    expect(php(script)).toEqual([[1, 'paid', 0]])
  })

  test('the renewals of a subscription are no orders of its visit', () => {
    const script = `
      $_COOKIE['aisle_visit'] = 'visit-0123456789';
      $first = place_order();
      $subscription = subscribe($first);
      pay($first);
      for ($month = 0; $month < 3; $month++) pay(renew($subscription));
      echo json_encode([count($queued), $subscription->meta]);`
    expect(php(script)).toEqual([1, []])
  })

  test('nor are those of a subscription that has the visit already', () => {
    const script = `
      $subscription = new Order('checkout');
      $renewal = renew($subscription);
      $renewal->update_meta_data('_aisle_visit', 'visit-0123456789');
      pay($renewal);
      echo json_encode($queued);`
    expect(php(script)).toEqual([])
  })

  test.each([
    ['no answer', 0, 0, [60]],
    ['a busy service', 429, 1, [300]],
    ['a key that was revoked, which somebody may correct', 401, 10, [21600]],
    ['two days of it', 503, 11, []],
    ['an order that is refused', 422, 0, []],
  ])('%s: tried again after so many seconds', (_, status, tries, waits) => {
    const script = `
      $_COOKIE['aisle_visit'] = 'visit-0123456789';
      $order = place_order();
      $answer = ['status' => ${status}, 'body' => [], 'problem' => 'No.'];
      aisle_report($order->get_id(), 'paid', ${tries});
      echo json_encode([$again, $options]);`
    expect(php(script)).toEqual([waits, { aisle_problem: 'No.' }])
  })

  test.each([
    ['https://shop.example', 'shop.example'],
    ['http://localhost:8091', 'localhost-8091.test'],
    ['http://127.0.0.1', 'localhost-80.test'],
  ])('the shop at %s is %s in Aisle', (home, domain) => {
    const code = `
      define('ABSPATH', '/');
      function add_action() {}
      function home_url() { return '${home}'; }
      function wp_parse_url($url) { return parse_url($url); }
      require '${PLUGIN}/aisle.php';
      echo aisle_own_domain();`
    expect(spawnSync('php', ['-r', code], { encoding: 'utf8' }).stdout).toBe(domain)
  })
})
