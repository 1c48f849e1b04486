import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { collectPage } from '../page/collect/collect-page.ts'

export default defineUnlistedScript(() => collectPage(window, fetch))
