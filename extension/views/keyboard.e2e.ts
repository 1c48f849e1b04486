import { afterAll, beforeAll, test } from 'vitest'
import { describeInBrowser } from '../../shared/testing/browser.ts'
import { tabTo } from '../../shared/testing/keyboard.ts'
import { type ExtensionWorld, FAULTY_PRODUCT, startExtension } from '../testing/world.ts'

describeInBrowser('the panel by keyboard alone', () => {
  let world: ExtensionWorld
  beforeAll(async () => {
    world = await startExtension()
  })
  afterAll(() => world?.stop())

  test('audits, opens and closes the export, copies a fix, and comes round to its tabs', async () => {
    await world.reset()
    const { app } = await world.openApp(FAULTY_PRODUCT)
    await app.bringToFront()
    await app.getByRole('button', { name: 'Audit again' }).waitFor()
    await tabTo(app, 'Page')
    await app.keyboard.press('End')
    await app.getByRole('tab', { name: 'Options', selected: true }).waitFor()
    await app.keyboard.press('Home')
    await app.getByRole('tab', { name: 'Page', selected: true }).waitFor()
    await tabTo(app, 'Audit again')
    await app.keyboard.press('Enter')
    await app.getByRole('button', { name: 'Audit again' }).waitFor()
    await tabTo(app, 'Export')
    await app.keyboard.press('Space')
    await app.getByRole('button', { name: 'JSON' }).waitFor()
    await app.keyboard.press('Escape')
    await app.getByRole('button', { name: 'JSON' }).waitFor({ state: 'hidden' })
    await tabTo(app, /^Copy the fix/)
    await app.keyboard.press('Enter')
    await app.getByRole('button', { name: 'Copied' }).waitFor()
    await tabTo(app, 'Page')
  })
})
